// SPDX-License-Identifier: Apache-2.0
#include "lazy_sequence.h"

#include <pybind11/gil_safe_call_once.h>

#include <array>

#include "slots.h"

namespace nandscape::python {

namespace py = pybind11;

namespace {

// The Python object of a LazySequence. Its items come from `source` while the sequence is open, and from `copy` after
// that. If both are null, the sequence was closed but its items could not be copied.
struct Sequence {
  PyObject base;
  LazySequence::Source* source;
  Py_ssize_t size;
  PyObject* copy;  // a tuple, or null
};

Sequence& of(PyObject* self) { return *reinterpret_cast<Sequence*>(self); }

// `n` is in range.
py::object item_of(const Sequence& sequence, Py_ssize_t n) {
  if (sequence.copy != nullptr) return py::reinterpret_borrow<py::object>(PyTuple_GET_ITEM(sequence.copy, n));
  if (sequence.source != nullptr) return sequence.source->item(static_cast<std::size_t>(n));
  throw py::value_error(
      "the items could not be copied when the method that received them returned; read them in the method, or copy "
      "them with tuple()");
}

py::object copy_of(Sequence& sequence) {
  if (sequence.copy == nullptr) {
    py::tuple items(static_cast<std::size_t>(sequence.size));
    for (Py_ssize_t n = 0; n < sequence.size; ++n)
      PyTuple_SET_ITEM(items.ptr(), n, item_of(sequence, n).release().ptr());
    // Creating the items runs Python code, which may already have copied the sequence.
    if (sequence.copy == nullptr) sequence.copy = items.release().ptr();
  }
  return py::reinterpret_borrow<py::object>(sequence.copy);
}

Py_ssize_t length(PyObject* self) { return of(self).size; }

PyObject* item(PyObject* self, Py_ssize_t n) {
  return slot([&] {
    if (n < 0 || n >= of(self).size) throw py::index_error("index out of range");
    return item_of(of(self), n);
  });
}

PyObject* subscript(PyObject* self, PyObject* key) {
  if (PyIndex_Check(key) == 0) return slot([&] { return py::object(copy_of(of(self))[py::handle(key)]); });
  const Py_ssize_t n = PyNumber_AsSsize_t(key, PyExc_IndexError);
  if (n == -1 && PyErr_Occurred() != nullptr) return nullptr;
  return item(self, n < 0 ? n + of(self).size : n);
}

PyObject* compare(PyObject* self, PyObject* other, int operation) {
  return slot([&] {
    const bool lazy = Py_TYPE(other) == Py_TYPE(self);
    const py::object right = lazy ? copy_of(of(other)) : py::reinterpret_borrow<py::object>(other);
    return py::reinterpret_steal<py::object>(PyObject_RichCompare(copy_of(of(self)).ptr(), right.ptr(), operation));
  });
}

Py_hash_t hash(PyObject* self) {
  const auto copy = py::reinterpret_steal<py::object>(slot([&] { return copy_of(of(self)); }));
  return copy ? PyObject_Hash(copy.ptr()) : -1;
}

PyObject* repr(PyObject* self) {
  return slot([&] { return py::repr(copy_of(of(self))); });
}

PyObject* index(PyObject* self, PyObject* arguments) {
  return slot([&] { return copy_of(of(self)).attr("index")(*py::reinterpret_borrow<py::args>(arguments)); });
}

PyObject* count(PyObject* self, PyObject* value) {
  return slot([&] { return copy_of(of(self)).attr("count")(py::handle(value)); });
}

PyObject* reduce(PyObject* self, PyObject*) {
  return slot([&] {
    return py::make_tuple(py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(&PyTuple_Type)),
                          py::make_tuple(copy_of(of(self))));
  });
}

void dealloc(PyObject* self) {
  PyTypeObject* const type = Py_TYPE(self);
  Py_XDECREF(of(self).copy);
  type->tp_free(self);
  Py_DECREF(type);
}

py::object make_type() {
  static std::array methods{PyMethodDef{"index", index, METH_VARARGS, nullptr},
                            PyMethodDef{"count", count, METH_O, nullptr},
                            PyMethodDef{"__reduce__", reduce, METH_NOARGS, nullptr}, PyMethodDef{}};
  const auto pointer = [](auto* function) { return reinterpret_cast<void*>(function); };
  std::array slots{PyType_Slot{Py_sq_length, pointer(length)},
                   PyType_Slot{Py_sq_item, pointer(item)},
                   PyType_Slot{Py_mp_length, pointer(length)},
                   PyType_Slot{Py_mp_subscript, pointer(subscript)},
                   PyType_Slot{Py_tp_iter, pointer(PySeqIter_New)},
                   PyType_Slot{Py_tp_richcompare, pointer(compare)},
                   PyType_Slot{Py_tp_hash, pointer(hash)},
                   PyType_Slot{Py_tp_repr, pointer(repr)},
                   PyType_Slot{Py_tp_methods, methods.data()},
                   PyType_Slot{Py_tp_dealloc, pointer(dealloc)},
                   PyType_Slot{0, nullptr}};
  PyType_Spec spec{"nandscape._core.LazySequence", sizeof(Sequence), 0,
                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_SEQUENCE, slots.data()};
  py::object type = type_from(spec);
  py::module_::import("collections.abc").attr("Sequence").attr("register")(type);
  return type;
}

PyTypeObject* type() {
  PYBIND11_CONSTINIT static py::gil_safe_call_once_and_store<py::object> made;
  return reinterpret_cast<PyTypeObject*>(made.call_once_and_store_result(make_type).get_stored().ptr());
}

}  // namespace

py::object LazySequence::open(Source& source, std::size_t size) {
  if (!open_) {
    if (sequence_ == nullptr) {
      auto made = py::reinterpret_steal<py::object>(PyType_GenericAlloc(type(), 0));
      if (!made) throw py::error_already_set();
      sequence_ = kept(std::move(made));
    }
    Sequence& sequence = of(sequence_->ptr());
    sequence.source = &source;
    sequence.size = static_cast<Py_ssize_t>(size);
    open_ = true;
  }
  return *sequence_;
}

void LazySequence::close() noexcept {
  if (!open_) return;
  open_ = false;
  Sequence& sequence = of(sequence_->ptr());
  if (Py_REFCNT(sequence_->ptr()) == 1) {
    Py_CLEAR(sequence.copy);
    sequence.source = nullptr;
    return;
  }
  // The Python method may have raised an exception. Saves it, since the conversion of the items could overwrite it.
  const py::error_scope raised;
  if (PyObject* const copy = slot([&] { return copy_of(sequence); })) {
    Py_DECREF(copy);
  } else {
    PyErr_Clear();
  }
  sequence.source = nullptr;
  sequence_ = nullptr;
}

}  // namespace nandscape::python
