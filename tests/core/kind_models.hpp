// SPDX-License-Identifier: MIT
//
// Models of 2026 whose layers are not all alike, by their config.json as published.
#pragma once

#include <string>

#include "support.hpp"

namespace scaling::test::kind_models {

/// A model of `settings` whose layers follow the pattern.
inline Raw<Model> patterned(const std::string& pattern, const Settings& settings) {
  Raw<Model> model = make<Model>(settings);
  model.text("layerPattern") = Text(pattern);
  return model;
}

/// `model` with as many layers as the pattern has.
inline Raw<Model> patterned(const std::string& pattern, Raw<Model> model) {
  model.text("layerPattern") = Text(pattern);
  LayerPattern read;
  TextFault fault{};
  return LayerPattern::parse(pattern, read, fault) ? with(model, {{"layers", read.layers}}) : model;
}

inline Raw<Model> qwen35_397b() {
  return patterned("15x(3xle.ae)", {{"layers", 60},
                                    {"hidden", 4096},
                                    {"feedForward", 1024},
                                    {"heads", 32},
                                    {"kvHeads", 2},
                                    {"headDim", 256},
                                    {"vocabulary", 248320},
                                    {"qkNorm", QkNorm::kPerHead},
                                    {"outputGate", OutputGate::kElementwise},
                                    {"linearKeyHeads", 16},
                                    {"linearValueHeads", 64},
                                    {"linearKeyDim", 128},
                                    {"linearValueDim", 128},
                                    {"experts", 512},
                                    {"expertsPerToken", 10},
                                    {"expertFeedForward", 1024},
                                    {"sharedExperts", 1},
                                    {"sharedExpertGate", 1},
                                    {"mtpModules", 1}});
}

inline Raw<Model> qwen35_27b() {
  return patterned("16x(3xld.ad)", {{"layers", 64},
                                    {"hidden", 5120},
                                    {"feedForward", 17408},
                                    {"heads", 24},
                                    {"kvHeads", 4},
                                    {"headDim", 256},
                                    {"vocabulary", 248320},
                                    {"qkNorm", QkNorm::kPerHead},
                                    {"outputGate", OutputGate::kElementwise},
                                    {"linearKeyHeads", 16},
                                    {"linearValueHeads", 48},
                                    {"linearKeyDim", 128},
                                    {"linearValueDim", 128}});
}

inline Raw<Model> nemotron3_nano() {
  return patterned("2x(m-.-e).m-.a-.-e.4x(2x(m-.-e).m-.a-.-e).3x(m-.-e).m-.a-.-e.4x(m-.-e)",
                   {{"layers", 52},
                    {"hidden", 2688},
                    {"feedForward", 1856},
                    {"gatedFeedForward", 0},
                    {"heads", 32},
                    {"kvHeads", 2},
                    {"headDim", 128},
                    {"vocabulary", 131072},
                    {"mambaHeads", 64},
                    {"mambaHeadDim", 64},
                    {"mambaState", 128},
                    {"mambaGroups", 8},
                    {"experts", 128},
                    {"expertsPerToken", 6},
                    {"expertFeedForward", 1856},
                    {"sharedExperts", 1},
                    {"sharedExpertFeedForward", 3712},
                    {"scoreBias", 1}});
}

inline Raw<Model> nemotron3_super() {
  return patterned(
      "3x(m-.-e).m-.a-.2x(-e.3x(m-.-e).m-.a-).4x(-e.4x(m-.-e).m-.a-)."
      "-e.3x(m-.-e).m-.a-.-e.4x(m-.-e)",
      {{"layers", 88},
       {"hidden", 4096},
       {"feedForward", 2688},
       {"gatedFeedForward", 0},
       {"heads", 32},
       {"kvHeads", 2},
       {"headDim", 128},
       {"vocabulary", 131072},
       {"mambaHeads", 128},
       {"mambaHeadDim", 64},
       {"mambaState", 128},
       {"mambaGroups", 8},
       {"experts", 512},
       {"expertsPerToken", 22},
       {"expertFeedForward", 2688},
       {"expertLatent", 1024},
       {"sharedExperts", 1},
       {"sharedExpertFeedForward", 5376},
       {"scoreBias", 1}});
}

inline Raw<Model> kimi_k3() {
  return patterned("ld.2xle.ae.22x(3xle.ae).ae", {{"layers", 93},
                                                  {"hidden", 7168},
                                                  {"feedForward", 33792},
                                                  {"heads", 96},
                                                  {"vocabulary", 163840},
                                                  {"attention", Attention::kLatent},
                                                  {"queryRank", 1536},
                                                  {"kvRank", 512},
                                                  {"nopeDim", 128},
                                                  {"ropeDim", 64},
                                                  {"valueDim", 128},
                                                  {"outputGate", OutputGate::kElementwise},
                                                  {"linearAttention", LinearAttention::kKimiDelta},
                                                  {"linearKeyHeads", 96},
                                                  {"linearValueHeads", 96},
                                                  {"linearKeyDim", 128},
                                                  {"linearValueDim", 128},
                                                  {"experts", 896},
                                                  {"expertsPerToken", 16},
                                                  {"expertFeedForward", 3072},
                                                  {"expertLatent", 3584},
                                                  {"expertLatentNorm", 1},
                                                  {"sharedExperts", 2},
                                                  {"scoreBias", 1},
                                                  {"residualBlock", 12}});
}

/// The layers without a pattern are all sparse.
inline Raw<Model> deepseek_v32() {
  return with(inputs::deepseek_v3(),
              {{"indexTopK", 2048}, {"indexHeads", 64}, {"indexHeadDim", 128}});
}

inline Raw<Model> glm5() {
  return make<Model>({{"layers", 78},
                      {"hidden", 6144},
                      {"feedForward", 12288},
                      {"heads", 64},
                      {"vocabulary", 154880},
                      {"attention", Attention::kLatent},
                      {"queryRank", 2048},
                      {"kvRank", 512},
                      {"nopeDim", 192},
                      {"ropeDim", 64},
                      {"valueDim", 256},
                      {"indexTopK", 2048},
                      {"indexHeads", 32},
                      {"indexHeadDim", 128},
                      {"experts", 256},
                      {"expertsPerToken", 8},
                      {"expertFeedForward", 2048},
                      {"sharedExperts", 1},
                      {"denseLayers", 3},
                      {"scoreBias", 1},
                      {"mtpModules", 1}});
}

inline Raw<Model> deepseek_v4_flash() {
  return patterned("2xwe.20x(c4e.c128e).c4e", {{"layers", 43},
                                               {"hidden", 4096},
                                               {"feedForward", 2048},
                                               {"heads", 64},
                                               {"kvHeads", 1},
                                               {"headDim", 512},
                                               {"vocabulary", 129280},
                                               {"queryRank", 1024},
                                               {"sharedKeyValue", 1},
                                               {"attentionSinks", 1},
                                               {"outputGroups", 8},
                                               {"outputRank", 1024},
                                               {"slidingWindow", 128},
                                               {"indexTopK", 512},
                                               {"indexHeads", 64},
                                               {"indexHeadDim", 128},
                                               {"experts", 256},
                                               {"expertsPerToken", 6},
                                               {"expertFeedForward", 2048},
                                               {"sharedExperts", 1},
                                               {"scoreBias", 1},
                                               {"hashLayers", 3},
                                               {"residualStreams", 4}});
}

inline Raw<Model> gemma4_26b() {
  return patterned("5x(5xwe.ae)", {{"layers", 30},
                                   {"hidden", 2816},
                                   {"feedForward", 2112},
                                   {"heads", 16},
                                   {"kvHeads", 2},
                                   {"headDim", 512},
                                   {"keyIsValue", 1},
                                   {"slidingWindow", 1024},
                                   {"windowKvHeads", 8},
                                   {"windowHeadDim", 256},
                                   {"qkNorm", QkNorm::kPerHead},
                                   {"vocabulary", 262144},
                                   {"tiedEmbeddings", 1},
                                   {"normsPerLayer", 7},
                                   {"experts", 128},
                                   {"expertsPerToken", 8},
                                   {"expertFeedForward", 704},
                                   {"denseBesideExperts", 2112},
                                   {"routerScale", 1}});
}

inline Raw<Model> mimo_v2_flash() {
  return patterned("ad.4xwe.ae.6x(5xwe.ae).5xwe.ae", {{"layers", 48},
                                                      {"hidden", 4096},
                                                      {"feedForward", 16384},
                                                      {"heads", 64},
                                                      {"kvHeads", 4},
                                                      {"headDim", 192},
                                                      {"valueDim", 128},
                                                      {"slidingWindow", 128},
                                                      {"windowKvHeads", 8},
                                                      {"windowSinks", 1},
                                                      {"vocabulary", 152576},
                                                      {"experts", 256},
                                                      {"expertsPerToken", 8},
                                                      {"expertFeedForward", 2048},
                                                      {"scoreBias", 1}});
}

inline Raw<Model> minimax_m3() {
  return patterned("3xad.57xse", {{"layers", 60},
                                  {"hidden", 6144},
                                  {"feedForward", 12288},
                                  {"heads", 64},
                                  {"kvHeads", 4},
                                  {"headDim", 128},
                                  {"vocabulary", 200064},
                                  {"qkNorm", QkNorm::kPerHead},
                                  {"indexTopK", 16},
                                  {"indexBlock", 128},
                                  {"indexHeads", 4},
                                  {"indexHeadDim", 128},
                                  {"experts", 128},
                                  {"expertsPerToken", 4},
                                  {"expertFeedForward", 3072},
                                  {"sharedExperts", 1},
                                  {"scoreBias", 1}});
}

/// Each layer has a width of its own, or no attention.
inline Raw<Model> nemotron_super_49b() {
  return patterned(
      "ad14336.5xad28672.2x-d14336.3xad28672.-d17920.30xad28672.-d7168.2x-d14336.-d7168.-d28672."
      "-d7168.-d14336.3x-d7168.ad28672.-d7168.2x-d5632.-d7168.3x-d5632.2x-d7168.2x-d2816.2x-d5632."
      "2x-d2816.-d5632.2x-d2816.9xad28672",
      {{"layers", 80},
       {"hidden", 8192},
       {"feedForward", 28672},
       {"heads", 64},
       {"kvHeads", 8},
       {"headDim", 128},
       {"vocabulary", 128256}});
}

}  // namespace scaling::test::kind_models
