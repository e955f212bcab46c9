// SPDX-License-Identifier: MIT
#include "scaling/model/kernels/writer.hpp"

namespace scaling {

template <class R>
[[gnu::noinline]] Kernel<R>& KernelWriter<R>::matmul(const char* name, FormatClass format,
                                                     DividedBy divided, C contraction, C outputs,
                                                     C grain, bool joined) {
  Kernel<R> kernel;
  kernel.name = name;
  kernel.format = format;
  kernel.divided = divided;
  kernel.contraction = contraction;
  kernel.outputs = outputs;
  kernel.grain = grain;
  kernel.joined = joined;
  return list_.add(kernel);
}

template <class R>
[[gnu::noinline]] Kernel<R>& KernelWriter<R>::projection(const char* name, C contraction, C outputs,
                                                         C grain, bool joined) {
  Kernel<R>& kernel = matmul(name, FormatClass::kAttention, DividedBy::kOutputs, contraction,
                             outputs, grain, joined);
  kernel.kept[0] = {outputs, KeptFormat::kActivation, KeptShare::kTensor, Dropped::kQkv, grain};
  return kernel;
}

template <class R>
[[gnu::noinline]] Kernel<R>& KernelWriter<R>::move(const char* name, ParameterPart part, C read,
                                                   C written) {
  Kernel<R> kernel;
  kernel.name = name;
  kernel.type = KernelType::kMove;
  kernel.part = part;
  kernel.read = kernel.least_read = read;
  kernel.written = kernel.least_written = written;
  return list_.add(kernel);
}

template Kernel<SCALING_REP>& KernelWriter<SCALING_REP>::matmul(const char*, FormatClass, DividedBy,
                                                                Count<SCALING_REP>,
                                                                Count<SCALING_REP>,
                                                                Count<SCALING_REP>, bool);
template Kernel<SCALING_REP>& KernelWriter<SCALING_REP>::projection(const char*, Count<SCALING_REP>,
                                                                    Count<SCALING_REP>,
                                                                    Count<SCALING_REP>, bool);
template Kernel<SCALING_REP>& KernelWriter<SCALING_REP>::move(const char*, ParameterPart,
                                                              Count<SCALING_REP>,
                                                              Count<SCALING_REP>);

}  // namespace scaling
