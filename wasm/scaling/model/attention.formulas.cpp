// SPDX-License-Identifier: MIT
#include "scaling/model/attention.hpp"

#include "scaling/model/kernel_shapes.hpp"

namespace scaling {
namespace {

/// Bytes of queries, keys, values and result, each once.
template <class R>
struct Operands {
  Quantity<kByte, R> queries, keys, values, result;
};

template <class R>
Operands<R> operands(const AttentionShape<R>& shape) {
  const auto query_rows = bytes_of<R>(shape.format) * shape.sequences * shape.queries * shape.heads;
  const auto key_rows =
      bytes_of<R>(shape.key_value_format) * shape.sequences * shape.keys * shape.kv_heads;
  Operands<R> result{query_rows * shape.key_width, key_rows * shape.key_width,
                     key_rows * shape.value_width, query_rows * shape.value_width};
  if (shape.values_in_keys) result.values = {};
  return result;
}

/// A multiply and an add for each query, each key that it sees and each of `width` numbers.
template <class R>
Quantity<kFlop, R> score_flops(const AttentionShape<R>& shape, Count<R> seen, Count<R> width) {
  return constant<kFlop, R>(2) * shape.sequences * shape.queries * seen * shape.heads * width;
}

/// Bytes of one matrix of scores.
template <class R>
Quantity<kByte, R> score_bytes(const AttentionShape<R>& shape) {
  return bytes_of<R>(shape.format) * shape.sequences * shape.heads * shape.queries * shape.keys;
}

/// Blocks that `rows` take, and of a causal mask only what these see, of all keys.
template <class R>
Count<R> passes(const AttentionShape<R>& shape, Count<R> rows, Count<R> block_rows) {
  const auto blocks = ceil(rows / block_rows);
  if (!shape.causal) return blocks;
  const auto before = shape.keys - shape.queries;
  return (blocks * before + shape.queries * (blocks + one<R>()) / 2.0) / shape.keys;
}

/// The sum of what is there: values that are part of the keys are not.
template <class R>
Quantity<kByte, R> keys_and_values(const AttentionShape<R>& shape, const Operands<R>& bytes) {
  return shape.values_in_keys ? bytes.keys : bytes.keys + bytes.values;
}

}  // namespace

template <class R>
Count<R> attention_block_rows(const AttentionShape<R>& shape,
                              Maybe<Quantity<kByte, R>> block_memory) {
  const auto rows = shape.queries * shape.heads / shape.kv_heads;
  if (!block_memory.present()) return named<term::kAttentionBlockRows>(rows);
  const auto row_bytes = bytes_of<R>(shape.format) * shape.key_width;
  return named<term::kAttentionBlockRows>(
      max(one<R>(), floor(block_memory.value / (4.0 * row_bytes))));
}

template <class R>
Count<R> attention_passes(const AttentionShape<R>& shape, Count<R> block_rows) {
  return named<term::kAttentionPasses>(
      passes(shape, shape.queries * shape.heads / shape.kv_heads, block_rows));
}

template <class R>
void add_flash_attention(Operations<R>& list, Pass pass, const AttentionShape<R>& shape,
                         Maybe<Quantity<kByte, R>> block_memory) {
  const auto bytes = operands(shape);
  const auto seen = shape.causal ? shape.keys - (shape.queries - one<R>()) / 2.0 : shape.keys;
  const auto block_rows = attention_block_rows(shape, block_memory);
  const auto cache = keys_and_values(shape, bytes);
  const auto tell = [&] {
    if (list.shapes() == nullptr) return;
    list.shapes()->set_last(
        list, {ShapeKind::kFlash, one<R>(), {}, false, shape, pass != Pass::kForward});
  };
  if (pass == Pass::kForward) {
    list.add({score_flops(shape, seen, shape.key_width + shape.value_width),
              bytes.queries + attention_passes(shape, block_rows) * cache,
              {},
              bytes.result});
    tell();
    return;
  }
  // Blocks of keys stay while the queries, with the gradients of result and queries, pass by.
  const auto turns = passes(shape, shape.keys, block_rows);
  list.add({score_flops(shape, seen, 3.0 * shape.key_width + 2.0 * shape.value_width),
            cache + bytes.result + turns * (2.0 * bytes.queries + bytes.result),
            {},
            turns * bytes.queries + cache});
  tell();
}

template <class R>
void add_attention_scores(Operations<R>& list, Pass pass, const AttentionShape<R>& shape) {
  const auto bytes = operands(shape);
  const auto scores = score_bytes(shape);
  const auto flops = score_flops(shape, shape.keys, shape.key_width);
  if (pass == Pass::kForward) {
    list.add({flops, bytes.queries + bytes.keys, {}, scores});
    return;
  }
  list.add({flops, scores + bytes.keys, {}, bytes.queries});
  list.add({flops, scores + bytes.queries, {}, bytes.keys});
}

template <class R>
void add_attention_values(Operations<R>& list, Pass pass, const AttentionShape<R>& shape) {
  const auto bytes = operands(shape);
  const auto& values = shape.values_in_keys ? bytes.keys : bytes.values;
  const auto scores = score_bytes(shape);
  const auto flops = score_flops(shape, shape.keys, shape.value_width);
  if (pass == Pass::kForward) {
    list.add({flops, scores + values, {}, bytes.result});
    return;
  }
  list.add({flops, bytes.result + values, {}, scores});
  list.add({flops, scores + bytes.result, {}, values});
}

template <class R>
void add_naive_attention(Operations<R>& list, Pass pass, const AttentionShape<R>& shape) {
  const auto rows = shape.sequences * shape.heads * shape.queries;
  const auto softmax_kernel = softmax(rows, shape.keys, shape.format, shape.format, pass);
  if (pass == Pass::kForward) {
    add_attention_scores(list, pass, shape);
    list.add(softmax_kernel);
    add_attention_values(list, pass, shape);
    return;
  }
  add_attention_values(list, pass, shape);
  list.add(softmax_kernel);
  add_attention_scores(list, pass, shape);
}

template Count<SCALING_REP> attention_block_rows(const AttentionShape<SCALING_REP>&,
                                                 Maybe<Quantity<kByte, SCALING_REP>>);
template Count<SCALING_REP> attention_passes(const AttentionShape<SCALING_REP>&,
                                             Count<SCALING_REP>);
template void add_flash_attention(Operations<SCALING_REP>&, Pass,
                                  const AttentionShape<SCALING_REP>&,
                                  Maybe<Quantity<kByte, SCALING_REP>>);
template void add_attention_scores(Operations<SCALING_REP>&, Pass,
                                   const AttentionShape<SCALING_REP>&);
template void add_attention_values(Operations<SCALING_REP>&, Pass,
                                   const AttentionShape<SCALING_REP>&);
template void add_naive_attention(Operations<SCALING_REP>&, Pass,
                                  const AttentionShape<SCALING_REP>&);

}  // namespace scaling
