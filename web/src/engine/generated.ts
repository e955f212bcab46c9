// Written by web/tools/generate.mjs from what the core says of itself; not to be edited.

export type IssueCode =
  | 'notANumber'
  | 'notFinite'
  | 'notWhole'
  | 'belowMinimum'
  | 'aboveMaximum'
  | 'unknownChoice'
  | 'headsNotDivisible'
  | 'moreThanLayers'
  | 'moreThanExperts'
  | 'moreThanStated'
  | 'formatNotSupported'
  | 'moreChipsThanNetwork'
  | 'slicesDontDivide'
  | 'moreChipsThanRows'
  | 'batchBelowSequence'
  | 'batchAboveTokens'
  | 'moreChipsThanAxis'
  | 'distanceBeyondAxis'
  | 'rateNotListed'
  | 'levelNotListed'
  | 'keysBelowQueries'
  | 'noExperts'
  | 'noTower'
  | 'waysDontDivide'
  | 'tensorDoesntDivideHeads'
  | 'contextDoesntDivide'
  | 'moreChunksThanLayers'
  | 'expertsDontDivide'
  | 'expertWaysDontDivide'
  | 'blocksDontDivide'
  | 'shardGroupDoesntDivide'
  | 'noSliceShape'
  | 'oddStages'
  | 'bandwidthNotListed'
  | 'textTooLong'
  | 'patternUnreadable'
  | 'patternBrackets'
  | 'patternKinds'
  | 'patternLayers'
  | 'patternNoKeys'
  | 'patternSum'
  | 'stagesUnreadable'
  | 'stagesEnds'
  | 'stagesModules'
  | 'stagesMost'
  | 'stagesCount'
  | 'stagesModulesSum'
  | 'lengthsUnreadable'
  | 'lengthsMost'
  | 'partNeeded'
  | 'noSuchLayers'
  | 'noScores'
  | 'groupsDontDivide'
  | 'hostAlone'
  | 'contextExceeded'
  | 'notWholeSequences'
  | 'idleChips'
  | 'tileTooLarge'
  | 'operandsTooLarge'
  | 'vectorWorkNotCounted'
  | 'idleReplicas'
  | 'mfuAbovePeak'
  | 'flopsOvercounted'
  | 'placementsLeftOut'
  | 'noSwitchAdds'
  | 'idleInDomains'
  | 'slicesJoined'
  | 'computesInFp16'
  | 'notWholeNodes';
export type AbsenceReason = 'notListed' | 'never' | 'notApplicable' | 'outOfRange' | 'notAllowed';
export type Topic =
  | 'kernels'
  | 'main'
  | 'units'
  | 'blocks'
  | 'network'
  | 'transfers'
  | 'price'
  | 'tuning'
  | 'efficiency'
  | 'formats'
  | 'memory'
  | 'states'
  | 'reliability';
export type GroupName =
  | 'chip'
  | 'model'
  | 'run'
  | 'mesh'
  | 'operation'
  | 'collective'
  | 'layout'
  | 'stack'
  | 'assumptions'
  | 'search'
  | 'serving'
  | 'server'
  | 'reward'
  | 'pools'
  | 'budget';

/** The reason why an answer has no value. */
export interface Absence {
  absent: AbsenceReason;
}

export interface ChipFields {
  generation:
    | 'general'
    | 'ampere'
    | 'ada'
    | 'hopper'
    | 'blackwell'
    | 'blackwellUltra'
    | 'amd'
    | 'tpu'
    | 'trillium'
    | 'ironwood'
    | 'trainium';
  /** n_SM */
  multiprocessors: number;
  /** M_hbm in B/chip */
  memory: number;
  /** u_runtime */
  reservedMemory: number;
  /** W_hbm in B/s/chip */
  memoryBandwidth: number;
  /** M_chip in B/chip */
  onChipMemory: number | null;
  /** W_chip in B/s/chip */
  onChipBandwidth: number | null;
  /** M_tile in B */
  tileMemory: number | null;
  /** C_fp32 in FLOPs/s/chip */
  peakFp32: number | null;
  /** C_tf32 in FLOPs/s/chip */
  peakTf32: number | null;
  /** C_bf16 in FLOPs/s/chip */
  peakBf16: number | null;
  /** C_fp16 in FLOPs/s/chip */
  peakFp16: number | null;
  /** C_fp8 in FLOPs/s/chip */
  peakFp8: number | null;
  /** C_int8 in FLOPs/s/chip */
  peakInt8: number | null;
  /** C_fp4 in FLOPs/s/chip */
  peakFp4: number | null;
  /** C_int4 in FLOPs/s/chip */
  peakInt4: number | null;
  /** C_vector in FLOPs/s/chip */
  peakVector: number | null;
  network: 'none' | 'torus' | 'switched' | 'pcie';
  /** X_pod */
  torusX: number;
  /** Y_pod */
  torusY: number;
  /** Z_pod */
  torusZ: number;
  wraparound: 'never' | 'fullAxis' | 'cubes';
  /** W_link in B/s/chip */
  linkBandwidth: number;
  /** n_domain in chips */
  scaleUpChips: number;
  /** W_up in B/s/chip */
  scaleUpBandwidth: number;
  /** W_out in B/s/chip */
  scaleOutBandwidth: number | null;
  /** n_leaf */
  leafDomains: number;
  /** r_over */
  oversubscription: number;
  switchReduction: 'everywhere' | 'scaleUp' | 'scaleOut' | 'none';
  /** t_hop in s */
  hopLatency: number;
  /** t_out in s */
  scaleOutLatency: number;
  /** W_host in B/s/chip */
  hostBandwidth: number | null;
  payment: 'rented' | 'owned';
  /** p_chip in USD/chip/h */
  price: number | null;
  /** p_buy in USD/chip */
  purchase: number | null;
  /** t_years */
  years: number;
  /** u */
  utilisation: number;
  /** p_kWh in USD/kWh */
  tariff: number;
  /** p_host in USD/chip/h */
  hosting: number;
  /** P_chip in W/chip */
  power: number | null;
}

export interface ModelFields {
  /** L */
  layers: number;
  /** D */
  hidden: number;
  /** F */
  feedForward: number;
  /** N */
  heads: number;
  /** K */
  kvHeads: number;
  /** H */
  headDim: number;
  /** V */
  vocabulary: number;
  /** T_max */
  contextLength: number;
  gatedFeedForward: boolean;
  tiedEmbeddings: boolean;
  attention: 'grouped' | 'latent';
  layerPattern: string;
  /** r_q */
  queryRank: number;
  /** r_kv */
  kvRank: number;
  /** H_nope */
  nopeDim: number;
  /** H_rope */
  ropeDim: number;
  /** H_v */
  valueDim: number;
  outputGate: 'none' | 'headwise' | 'elementwise';
  keyIsValue: boolean;
  sharedKeyValue: boolean;
  /** g_o */
  outputGroups: number;
  /** r_o */
  outputRank: number;
  norm: 'rmsNorm' | 'layerNorm' | 'layerNormNoBias';
  /** n_norm */
  normsPerLayer: number;
  embeddingNorm: boolean;
  qkNorm: 'none' | 'perHead' | 'full';
  qkvBias: boolean;
  attentionOutputBias: boolean;
  feedForwardBias: boolean;
  headBias: boolean;
  /** T_pos */
  learnedPositions: number;
  relativePositions: boolean;
  attentionSinks: boolean;
  /** E */
  experts: number;
  /** k */
  expertsPerToken: number;
  /** F_e */
  expertFeedForward: number;
  /** S_e */
  sharedExperts: number;
  /** L_dense */
  denseLayers: number;
  /** n_moe */
  moeEvery: number;
  /** F_s */
  sharedExpertFeedForward: number;
  sharedExpertGate: boolean;
  /** D_e */
  expertLatent: number;
  /** n_group */
  routedGroups: number;
  expertLatentNorm: boolean;
  /** F_d */
  denseBesideExperts: number;
  routerScale: boolean;
  /** E_zero */
  zeroExperts: number;
  /** L_hash */
  hashLayers: number;
  routerBias: boolean;
  expertBias: boolean;
  scoreBias: boolean;
  /** w */
  slidingWindow: number;
  /** L_w */
  windowedLayers: number;
  /** N_w */
  windowHeads: number;
  /** K_w */
  windowKvHeads: number;
  /** H_w */
  windowHeadDim: number;
  /** H_v,w */
  windowValueDim: number;
  windowSinks: boolean;
  /** k_idx */
  indexTopK: number;
  /** N_idx */
  indexHeads: number;
  /** H_idx */
  indexHeadDim: number;
  /** b_idx */
  indexBlock: number;
  /** L_idx */
  indexLayers: number;
  linearAttention: 'gatedDeltaNet' | 'kimiDelta' | 'lightning';
  /** K_lin */
  linearKeyHeads: number;
  /** N_lin */
  linearValueHeads: number;
  /** H_k,lin */
  linearKeyDim: number;
  /** H_v,lin */
  linearValueDim: number;
  /** c_lin */
  linearConvolution: number;
  /** r_lin */
  linearGateRank: number;
  linearQkNorm: boolean;
  /** N_ssm */
  mambaHeads: number;
  /** H_ssm */
  mambaHeadDim: number;
  /** S_ssm */
  mambaState: number;
  /** g_ssm */
  mambaGroups: number;
  /** c_ssm */
  mambaConvolution: number;
  /** r_ssm */
  mambaRank: number;
  mambaNorm: boolean;
  /** c_conv */
  shortConvolution: number;
  /** D_conv */
  convolutionChannels: number;
  /** D_ple */
  perLayerInput: number;
  /** V_ple */
  perLayerVocabulary: number;
  /** n_hc */
  residualStreams: number;
  /** L_res */
  residualBlock: number;
  /** n_mtp */
  mtpModules: number;
  /** L_vit */
  towerLayers: number;
  /** D_vit */
  towerHidden: number;
  /** F_vit */
  towerFeedForward: number;
  /** N_vit */
  towerHeads: number;
  /** H_vit */
  towerHeadDim: number;
  /** w_vit */
  towerWindow: number;
  /** L_w,vit */
  towerWindowedLayers: number;
  towerGated: boolean;
  /** P_vit,rest in params */
  towerRest: number;
  /** P_proj in params */
  projectorParameters: number;
  /** n_patch */
  imagePatches: number;
  /** T_image in tokens */
  imageTokens: number;
  /** P_stated in params */
  statedParameters: number | null;
  /** P_active,stated in params */
  statedActiveParameters: number | null;
}

export interface RunFields {
  /** n in chips */
  chips: number;
  /** n_slice */
  slices: number;
  trained: 'all' | 'last' | 'lora' | 'qlora';
  /** L_train */
  trainedLayers: number;
  trainHead: boolean;
  /** r */
  loraRank: number;
  loraTargets: 'all' | 'attention' | 'qkv' | 'queryValue' | 'feedForward';
  baseFormat: 'nf4Double' | 'nf4' | 'int4' | 'int8';
  /** n_image */
  imagesPerSequence: number;
  trainTower: boolean;
  corpus: 'tokens' | 'examples';
  /** n_tokens in tokens */
  tokens: number;
  /** n_ex */
  examples: number;
  /** T_ex in tokens */
  exampleTokens: number;
  /** n_epoch */
  epochs: number;
  packing: boolean;
  /** B in tokens */
  batchTokens: number;
  /** T in tokens */
  sequenceLength: number;
  /** MFU */
  mfu: number;
  computeFormat: 'fp32' | 'bf16' | 'fp16' | 'fp8' | 'int8' | 'fp4' | 'int4' | 'tf32';
  weightFormat: 'fp32' | 'bf16' | 'fp16' | 'fp8' | 'int8' | 'fp4' | 'int4';
  activationFormat: 'fp32' | 'bf16' | 'fp16' | 'fp8' | 'int8' | 'fp4' | 'int4';
  /** g in B/param */
  gradientBytes: number;
  /** o in B/param */
  optimizerBytes: number;
  stateSharding: 'none' | 'optimizer' | 'gradients' | 'parameters';
  checkpointRule:
    'copies' | 'bigMatmuls' | 'modernLayer' | 'korthikantiSelective' | 'korthikantiNone';
  /** n_ckpt */
  checkpointsPerLayer: number;
  flopsRule: 'sixN' | 'sixNMatmul' | 'exact';
  attentionMask: 'causal' | 'full';
  countLmHead: boolean;
  /** PUE */
  pue: number;
}

export interface MeshFields {
  /** X */
  x: number;
  /** Y */
  y: number;
  /** Z */
  z: number;
  /** n_other */
  otherShards: number;
  direction: 'bidirectional' | 'oneWay';
}

export interface OperationFields {
  kind:
    | 'dotProduct'
    | 'elementwise'
    | 'reduction'
    | 'softmax'
    | 'rmsNorm'
    | 'matmul'
    | 'perBatchWeights'
    | 'tiledMatmul'
    | 'shardedMatmul'
    | 'attention'
    | 'norm'
    | 'qkvProjection'
    | 'attentionScores'
    | 'attentionValues'
    | 'attentionCore'
    | 'outputProjection'
    | 'feedForward'
    | 'router'
    | 'experts'
    | 'lmHead'
    | 'embedding'
    | 'kvRead'
    | 'layer';
  pass: 'forward' | 'backward' | 'both';
  operandsIn: 'hbm' | 'onChip' | 'host';
  /** N */
  length: number;
  /** n_in */
  inputs: number;
  /** n_ops */
  chain: number;
  /** n_fused */
  fused: number;
  /** B */
  batch: number;
  /** D */
  contraction: number;
  /** F */
  output: number;
  /** b_B */
  tileRows: number;
  /** b_D */
  tileContraction: number;
  /** b_F */
  tileOutput: number;
  activationSharding: 'none' | 'batch' | 'contraction';
  weightSharding: 'none' | 'contraction' | 'output';
  gathered: 'weights' | 'activations';
  reduction: 'allReduce' | 'reduceScatter';
  mixer:
    | 'first'
    | 'attention'
    | 'windowed'
    | 'sparse'
    | 'compressed'
    | 'linear'
    | 'mamba'
    | 'convolution';
  /** B */
  sequences: number;
  /** T */
  queries: number;
  /** S */
  keys: number;
  attention: 'grouped' | 'latent';
  /** N */
  heads: number;
  /** K */
  kvHeads: number;
  /** H */
  headDim: number;
  /** r_kv */
  latentRank: number;
  /** H_rope */
  ropeDim: number;
  /** H_nope */
  nopeDim: number;
  /** H_v */
  valueDim: number;
  latentForm: 'expanded' | 'absorbed';
  attentionKernel: 'flash' | 'naive';
  attentionMask: 'causal' | 'full';
  activationFormat: 'fp32' | 'bf16' | 'fp16' | 'fp8' | 'int8' | 'fp4' | 'int4';
  weightFormat: 'fp32' | 'bf16' | 'fp16' | 'fp8' | 'int8' | 'fp4' | 'int4';
  keyValueFormat: 'fp32' | 'bf16' | 'fp16' | 'fp8' | 'int8' | 'fp4' | 'int4';
  outputFormat: 'fp32' | 'bf16' | 'fp16' | 'fp8' | 'int8' | 'fp4' | 'int4';
  computeFormat: 'fp32' | 'bf16' | 'fp16' | 'fp8' | 'int8' | 'fp4' | 'int4' | 'tf32';
}

export interface CollectiveFields {
  kind: 'allGather' | 'reduceScatter' | 'allReduce' | 'allToAll' | 'pointToPoint';
  /** V in B */
  bytes: number;
  inNetworkReduction: boolean;
  /** k */
  destinations: number;
  /** d_x */
  distanceX: number;
  /** d_y */
  distanceY: number;
  /** d_z */
  distanceZ: number;
}

export interface LayoutFields {
  /** t */
  tensor: number;
  sequenceParallel: boolean;
  /** c */
  context: number;
  contextKind: 'ring' | 'allGather' | 'ulysses';
  /** p */
  pipeline: number;
  schedule:
    'gpipe' | 'oneFOneB' | 'interleaved' | 'zb1p' | 'zb2p' | 'zbv' | 'vHalf' | 'vMin' | 'dualPipe';
  /** v */
  virtualStages: number;
  stageLayers: string;
  /** e */
  expert: number;
  /** t_e */
  expertTensor: number;
  /** n_node */
  expertNodes: number;
  /** b */
  microBatch: number;
  sharding: 'none' | 'optimizer' | 'gradients' | 'parameters';
  /** n_shard */
  shardGroup: number;
  recompute: 'none' | 'selective' | 'full' | 'everyN' | 'copies' | 'cheapest';
  /** n_re */
  recomputeLayers: number;
  /** n_ckpt */
  savedCopies: number;
  optimizer: 'adam' | 'adam8bit' | 'adamBf16' | 'adafactor' | 'lion' | 'sgd' | 'muon';
  masterFormat: 'none' | 'bf16' | 'fp32';
  gradientFormat: 'none' | 'bf16' | 'fp32' | 'both' | 'share';
  fp8Matmuls: boolean;
  offload: 'none' | 'optimizer' | 'all';
  /** f_host */
  hostActivations: number;
  attentionKernel: 'flash' | 'naive';
  dropout: boolean;
  expertResults: boolean;
  fp8Hidden: boolean;
}

export interface StackFields {
  software: 'known' | 'other';
  flash: 'best' | 'flash1' | 'flash2';
  selective:
    | 'scores'
    | 'attention'
    | 'activations'
    | 'matmuls'
    | 'operators'
    | 'experts'
    | 'behindAttention'
    | 'latent'
    | 'projections';
  graphs: 'none' | 'partial' | 'full';
  kernels: 'fused' | 'eager' | 'eager2022' | 'compiled';
  timer: 'loop' | 'iteration';
  reduceFormat: 'gradients' | 'bf16';
  tensorOverlap: boolean;
  dataOverlap: boolean;
  fp8Gather: boolean;
  shardsMaster: boolean;
  expertDispatch: 'allToAll' | 'kernels';
  fp8Dispatch: boolean;
  expertOverlap: boolean;
  rowwiseScales: boolean;
  unfused: boolean;
  adapterCasts: boolean;
  moduleGathers: boolean;
}

export interface AssumptionsFields {
  rates: 'measured' | 'stated';
  /** eta_C */
  computeEfficiency: number;
  /** eta_hbm */
  memoryEfficiency: number;
  /** eta_net */
  networkEfficiency: number;
  /** o_t */
  overlapTensor: number;
  /** o_c */
  overlapContext: number;
  /** o_e */
  overlapExpert: number;
  /** o_d */
  overlapData: number;
  /** o_p */
  overlapPipeline: number;
  inNetworkReduction: boolean;
  /** f_moe */
  expertImbalance: number;
  /** M_runtime in B */
  runtimeOverhead: number;
  /** f_alloc */
  allocatorShare: number;
  /** u_hbm */
  usableMemory: number;
  /** u_free */
  memoryReserve: number;
  /** s_logit in B */
  logitBytes: number;
  /** n_loss */
  lossChunks: number;
  /** MTTF_chip in h */
  chipMttf: number;
  /** t_restart in s */
  restartTime: number;
  /** W_storage in B/s/chip */
  storageBandwidth: number;
}

export interface SearchFields {
  tensor: boolean;
  context: boolean;
  pipeline: boolean;
  virtualStages: boolean;
  schedule: boolean;
  expert: boolean;
  expertTensor: boolean;
  microBatch: boolean;
  sharding: boolean;
  recompute: boolean;
}

export interface ServingFields {
  load: 'closed' | 'open' | 'most' | 'static';
  /** B */
  users: number;
  /** q in 1/s */
  requestRate: number;
  /** T_in in tokens */
  promptTokens: number;
  /** T_out in tokens */
  answerTokens: number;
  /** c_in */
  promptSpread: number;
  /** c_out */
  answerSpread: number;
  promptLengths: string;
  answerLengths: string;
  /** n_image */
  imagesPerPrompt: number;
  /** f_prefix */
  prefixShare: number;
  /** n_turns */
  furtherTurns: number;
  /** T_turn in tokens */
  turnTokens: number;
  turnGaps: 'random' | 'rounds' | 'even';
  /** M_host in B */
  hostCache: number;
  /** M_disk in B */
  diskCache: number;
  /** W_disk in B/s */
  diskBandwidth: number;
  /** T_think in s */
  thinkTime: number;
  /** sigma */
  together: number | null;
  /** n in chips */
  chips: number;
  /** t */
  tensor: number;
  /** d_attn */
  attentionData: number;
  /** e */
  expert: number;
  /** p */
  pipeline: number;
  /** n_cpu */
  hostLayers: number;
  /** n_cpu,moe */
  hostExperts: number;
  /** M_ram in B */
  hostMemory: number;
  /** W_ram in B/s */
  hostMemoryBandwidth: number;
  /** C_cpu in FLOPs/s */
  hostCompute: number;
  apart: boolean;
  /** n_prefill in chips */
  prefillChips: number;
  /** t_prefill */
  prefillTensor: number;
  /** e_prefill */
  prefillExpert: number;
  /** d_prefill */
  prefillData: number;
  /** gamma */
  draftTokens: number;
  /** alpha_draft */
  acceptance: number;
  /** c_draft */
  draftCost: number;
  /** TTFT_max in s */
  firstTarget: number | null;
  /** TPOT_max in s */
  tokenTarget: number | null;
  /** p_target */
  targetShare: number | null;
  /** PUE */
  pue: number;
  /** b in USD/h */
  budget: number | null;
}

export interface ServerFields {
  weights: 'bf16' | 'fp8' | 'fp8Block' | 'int8' | 'int4' | 'mxfp4' | 'nvfp4';
  attentionWeights: 'asWeights' | 'bf16' | 'fp8' | 'fp8Block' | 'int8' | 'int4' | 'mxfp4' | 'nvfp4';
  expertWeights: 'asWeights' | 'bf16' | 'fp8' | 'fp8Block' | 'int8' | 'int4' | 'mxfp4' | 'nvfp4';
  headWeights: 'asWeights' | 'bf16' | 'fp8' | 'fp8Block' | 'int8' | 'int4' | 'mxfp4' | 'nvfp4';
  /** b_stored */
  weightBits: number | null;
  /** b_stored,moe */
  expertBits: number | null;
  /** g */
  groupSize: number;
  zeroPoints: 'none' | 'sixteen' | 'four';
  computeIn: 'asWeights' | 'bf16' | 'int8Blocks';
  cacheFormat: 'bf16' | 'fp8' | 'int8' | 'int4' | 'scaled8' | 'nvfp4';
  /** b_page */
  blockTokens: number;
  divideByBatch: boolean;
  allocation: 'paged' | 'whole' | 'longest';
  /** T_max in tokens */
  longestSequence: number;
  shareOf: 'whole' | 'free';
  /** u_hbm */
  memoryShare: number;
  /** M_reserved in B */
  reservedMemory: number;
  /** T_step in tokens */
  tokenBudget: number;
  /** B_most */
  mostSequences: number;
  /** T_cache in tokens */
  cacheTokens: number | null;
  /** n_send */
  streamInterval: number;
  host: 'between' | 'beside' | 'compiled' | 'scripted';
  promptLaunch: 'ahead' | 'eager';
  hostPrompts: 'copied' | 'computed';
  groupedRead: 'all' | 'powersOfTwo' | 'eights' | 'none';
  smallAllReduce: boolean;
  expertDispatch: 'allToAll' | 'kernels' | 'allGather' | 'usual';
  dispatchFormat: 'asExperts' | 'bf16' | 'fp8' | 'nvfp4';
  twoBatches: boolean;
  unevenHeads: boolean;
  unevenBlocks: boolean;
  /** E_redundant */
  redundantExperts: number;
  rates: 'measured' | 'stated';
  /** eta_C */
  computeEfficiency: number;
  /** eta_hbm */
  memoryEfficiency: number;
  /** eta_net */
  networkEfficiency: number;
}

export interface RewardFields {
  algorithm: 'grpo' | 'ppo';
  /** P */
  prompts: number;
  /** G */
  samples: number;
  /** T_in in tokens */
  promptTokens: number;
  /** a in tokens */
  answerTokens: number;
  /** a_max in tokens */
  longestAnswer: number;
  /** sigma */
  sigma: number;
  answerLengths: string;
  /** mu */
  updates: number;
  oldPass: boolean;
  referencePass: boolean;
  rewardModel: boolean;
  /** t_reward in s */
  rewardTime: number;
  /** n_steps */
  steps: number;
}

export interface PoolsFields {
  /** n in chips */
  chips: number;
  sharing: 'turns' | 'apart';
  /** n_g in chips */
  generationChips: number | null;
  /** k */
  behind: number;
  /** t_g */
  generationTensor: number | null;
  /** t */
  trainingTensor: number | null;
  /** c */
  trainingContext: number | null;
  /** p */
  trainingPipeline: number | null;
  /** e */
  trainingExpert: number | null;
  generationFormat: 'bf16' | 'fp8' | 'fp8Block' | 'int8' | 'int4' | 'mxfp4' | 'nvfp4';
  fp8Training: boolean;
  /** u_hbm */
  memoryShare: number;
  statesLeave: boolean;
  handOver: 'resharded' | 'packed' | 'packedRdma' | 'gathered';
  /** t_over in s */
  handOverSeconds: number | null;
  /** c_g */
  generationFactor: number;
  /** c_t */
  trainingFactor: number;
  /** t_0 in s */
  fixedTime: number;
}

export interface BudgetFields {
  kind: 'money' | 'time';
  /** cost in USD */
  money: number;
  /** t_days */
  days: number;
  /** r in tokens/param */
  tokensPerParameter: number;
  law: 'besiroglu' | 'hoffmann' | 'muennighoff';
  /** U in tokens */
  uniqueTokens: number | null;
  /** n_served in tokens */
  servedTokens: number;
}

export interface TrainingInput {
  chip: ChipFields;
  model: ModelFields;
  run: RunFields;
}

export interface TrainingAnswers {
  parametersFeedForward: number | Absence;
  parametersAttention: number | Absence;
  parametersVocabulary: number | Absence;
  parametersNorms: number | Absence;
  parametersRouter: number | Absence;
  parametersPositions: number | Absence;
  computedParameters: number | Absence;
  computedActiveParameters: number | Absence;
  matmulParameters: number | Absence;
  mtpParameters: number | Absence;
  towerParameters: number | Absence;
  parameters: number | Absence;
  activeParameters: number | Absence;
  shareFeedForward: number | Absence;
  shareAttention: number | Absence;
  shareVocabulary: number | Absence;
  kvCachePerToken: number | Absence;
  forwardFlopsPerToken: number | Absence;
  trainingFlopsPerToken: number | Absence;
  sixNFlopsPerToken: number | Absence;
  exactFlopsPerToken: number | Absence;
  mfuExact: number | Absence;
  rematFlopsPerToken: number | Absence;
  totalFlops: number | Absence;
  oneChipTokenTime: number | Absence;
  oneChipTime: number | Absence;
  trainingTime: number | Absence;
  steps: number | Absence;
  stepTime: number | Absence;
  tokensPerSecond: number | Absence;
  chipHours: number | Absence;
  chipHourPrice: number | Absence;
  cost: number | Absence;
  energy: number | Absence;
  bytesPerParameter: number | Absence;
  weightMemory: number | Absence;
  gradientMemory: number | Absence;
  optimizerMemory: number | Absence;
  checkpointMemory: number | Absence;
  totalMemory: number | Absence;
  weightMemoryPerChip: number | Absence;
  gradientMemoryPerChip: number | Absence;
  optimizerMemoryPerChip: number | Absence;
  checkpointMemoryPerChip: number | Absence;
  memoryPerChip: number | Absence;
  memoryFraction: number | Absence;
  memoryLeft: number | Absence;
  fractionalMinimumChips: number | Absence;
  minimumChips: number | Absence;
  timeOnMinimumChips: number | Absence;
  bound: 'compute' | 'memory' | 'network' | Absence;
  matmulBound: 'compute' | 'memory' | 'network' | Absence;
  rowsPerWeight: number | Absence;
  intensity: number | Absence;
  criticalIntensity: number | Absence;
  fractionOfPeak: number | Absence;
  criticalBatch: number | Absence;
  exactCriticalBatch: number | Absence;
  tokensPerChip: number | Absence;
  sequences: number | Absence;
  fsdpThreshold: number | Absence;
  fsdpMaximumChips: number | Absence;
  fsdpBound: 'compute' | 'memory' | 'network' | Absence;
  mixedThreshold: number | Absence;
  mixedMaximumChips: number | Absence;
  mixedBound: 'compute' | 'memory' | 'network' | Absence;
  tensorLimit: number | Absence;
  optimalDataWays: number | Absence;
  optimalTensorWays: number | Absence;
  meshDataWays: number | Absence;
  meshTensorWays: number | Absence;
  tokensPerSlice: number | Absence;
  sliceThreshold: number | Absence;
  sliceBound: 'compute' | 'memory' | 'network' | Absence;
}

export interface OperationInput {
  chip: ChipFields;
  model: ModelFields;
  mesh: MeshFields;
  operation: OperationFields;
}

export interface OperationAnswers {
  flops: number | Absence;
  memoryBytes: number | Absence;
  networkBytes: number | Absence;
  mathTime: number | Absence;
  memoryTime: number | Absence;
  networkTime: number | Absence;
  communicationTime: number | Absence;
  lowerBound: number | Absence;
  upperBound: number | Absence;
  timeExpected: number | Absence;
  intensity: number | Absence;
  criticalIntensity: number | Absence;
  networkIntensity: number | Absence;
  criticalNetworkIntensity: number | Absence;
  bound: 'compute' | 'memory' | 'network' | Absence;
  achievedFlops: number | Absence;
  fractionOfPeak: number | Absence;
  criticalBatch: number | Absence;
  exactCriticalBatch: number | Absence;
  hostCriticalBatch: number | Absence;
  criticalContraction: number | Absence;
  computeRate: number | Absence;
  memoryRate: number | Absence;
  networkCollective: 'none' | 'allGather' | 'reduceScatter' | 'allReduce' | Absence;
  networkSteps: number | Absence;
  networkBandwidthTime: number | Absence;
  networkLatencyTime: number | Absence;
  tileBytes: number | Absence;
  attentionBlockRows: number | Absence;
  attentionPasses: number | Absence;
  gatherTime: number | Absence;
  reduceTime: number | Absence;
  betterStrategy: 'gather' | 'reduce' | Absence;
  criticalWays: number | Absence;
}

export interface CollectiveInput {
  chip: ChipFields;
  mesh: MeshFields;
  collective: CollectiveFields;
}

export interface CollectiveAnswers {
  collectiveChips: number | Absence;
  shardBytes: number | Absence;
  bytesSent: number | Absence;
  collectiveSteps: number | Absence;
  collectiveBandwidthTime: number | Absence;
  collectiveLatencyTime: number | Absence;
  collectiveTime: number | Absence;
  collectiveExpected: number | Absence;
  timeExpected: number | Absence;
  collectiveBound: 'bandwidth' | 'latency' | Absence;
  effectiveBandwidth: number | Absence;
  latencyBytes: number | Absence;
  domainTime: number | Absence;
  leafTime: number | Absence;
  spineTime: number | Absence;
  domainBytes: number | Absence;
  leafBytes: number | Absence;
  spineBytes: number | Absence;
  spineRate: number | Absence;
  axisTimeX: number | Absence;
  axisTimeY: number | Absence;
  axisTimeZ: number | Absence;
  axisBytesX: number | Absence;
  axisBytesY: number | Absence;
  axisBytesZ: number | Absence;
  axisShapeX: 'line' | 'ring' | 'oneWayRing' | Absence;
  axisShapeY: 'line' | 'ring' | 'oneWayRing' | Absence;
  axisShapeZ: 'line' | 'ring' | 'oneWayRing' | Absence;
  domains: number | Absence;
  domainUsed: number | Absence;
  domainIdle: number | Absence;
  leaves: number | Absence;
}

export interface PlanInput {
  chip: ChipFields;
  model: ModelFields;
  run: RunFields;
  layout: LayoutFields;
  stack: StackFields;
  assumptions: AssumptionsFields;
  search: SearchFields;
}

export interface PlanAnswers {
  dataWays: number | Absence;
  shardWays: number | Absence;
  microBatches: number | Absence;
  microTokens: number | Absence;
  sequenceSlots: number | Absence;
  idleSlots: number | Absence;
  layersPerStage: number | Absence;
  inFlight: number | Absence;
  domains: number | Absence;
  domainUsed: number | Absence;
  domainIdle: number | Absence;
  sliceAlongX: number | Absence;
  sliceAlongY: number | Absence;
  sliceAlongZ: number | Absence;
  tensorAlongX: number | Absence;
  tensorAlongY: number | Absence;
  tensorAlongZ: number | Absence;
  contextAlongX: number | Absence;
  contextAlongY: number | Absence;
  contextAlongZ: number | Absence;
  dataAlongX: number | Absence;
  dataAlongY: number | Absence;
  dataAlongZ: number | Absence;
  pipelineAlongX: number | Absence;
  pipelineAlongY: number | Absence;
  pipelineAlongZ: number | Absence;
  sliceShapeX: 'line' | 'ring' | 'oneWayRing' | Absence;
  sliceShapeY: 'line' | 'ring' | 'oneWayRing' | Absence;
  sliceShapeZ: 'line' | 'ring' | 'oneWayRing' | Absence;
  memoryUsed: number | Absence;
  memoryLow: number | Absence;
  memoryHigh: number | Absence;
  memoryLimit: number | Absence;
  memoryRoom: number | Absence;
  fits: 'no' | 'yes' | Absence;
  memoryState: 'over' | 'tight' | 'fits' | Absence;
  fullestStage: number | Absence;
  slowestStage: number | Absence;
  fullestLayers: number | Absence;
  memoryParameters: number | Absence;
  memoryGradients: number | Absence;
  memoryOptimizer: number | Absence;
  memoryActivations: number | Absence;
  memoryWorking: number | Absence;
  memoryLogits: number | Absence;
  memoryBuffers: number | Absence;
  memoryOverhead: number | Absence;
  memoryAllocator: number | Absence;
  layerActivations: number | Absence;
  optimizerBytesPerParameter: number | Absence;
  againNorms: number | Absence;
  againProduct: number | Absence;
  againQkv: number | Absence;
  againAttention: number | Absence;
  againHidden: number | Absence;
  againMiddle: number | Absence;
  againResults: number | Absence;
  stepExpected: number | Absence;
  stepLower: number | Absence;
  stepUpper: number | Absence;
  stepLow: number | Absence;
  stepHigh: number | Absence;
  planBound:
    'compute' | 'memory' | 'tensor' | 'context' | 'expert' | 'data' | 'pipeline' | 'host' | Absence;
  nextBound:
    'compute' | 'memory' | 'tensor' | 'context' | 'expert' | 'data' | 'pipeline' | 'host' | Absence;
  intensity: number | Absence;
  criticalIntensity: number | Absence;
  timeForward: number | Absence;
  timeBackward: number | Absence;
  timeRecompute: number | Absence;
  timeTensor: number | Absence;
  timeContext: number | Absence;
  timeExpert: number | Absence;
  timeData: number | Absence;
  timePipeline: number | Absence;
  timeHost: number | Absence;
  timeLaunch: number | Absence;
  timeOverhead: number | Absence;
  timeOptimizer: number | Absence;
  timeBubble: number | Absence;
  exposedTensor: number | Absence;
  exposedContext: number | Absence;
  exposedExpert: number | Absence;
  exposedData: number | Absence;
  exposedPipeline: number | Absence;
  exposedHost: number | Absence;
  microForward: number | Absence;
  microBackward: number | Absence;
  mfu: number | Absence;
  mfuExact: number | Absence;
  hfu: number | Absence;
  tokensPerSecond: number | Absence;
  tokensPerSecondPerChip: number | Absence;
  trainingFlopsPerToken: number | Absence;
  exactFlopsPerToken: number | Absence;
  steps: number | Absence;
  trainedParameters: number | Absence;
  trainingTime: number | Absence;
  chipHours: number | Absence;
  chipHourPrice: number | Absence;
  cost: number | Absence;
  energy: number | Absence;
  failuresPerDay: number | Absence;
  jobMttf: number | Absence;
  checkpointBytes: number | Absence;
  checkpointTime: number | Absence;
  checkpointInterval: number | Absence;
  goodput: number | Absence;
  wallTime: number | Absence;
  wallChipHours: number | Absence;
  wallCost: number | Absence;
}

export interface ServingInput {
  chip: ChipFields;
  model: ModelFields;
  serving: ServingFields;
  server: ServerFields;
}

export interface ServingAnswers {
  servingWeights: number | Absence;
  towerBytes: number | Absence;
  weightBits: number | Absence;
  weightsOnChip: number | Absence;
  weightsOnHost: number | Absence;
  prefillWeightsOnChip: number | Absence;
  prefillCacheRoom: number | Absence;
  reservedOnChip: number | Absence;
  servingUsable: number | Absence;
  cacheRoom: number | Absence;
  cacheUsed: number | Absence;
  servingLeft: number | Absence;
  servingFits: 'no' | 'yes' | Absence;
  kvPerToken: number | Absence;
  kvPerSequence: number | Absence;
  kvOfFull: number | Absence;
  kvOfWindowed: number | Absence;
  kvOfSparse: number | Absence;
  kvOfCompressed: number | Absence;
  stateOfLinear: number | Absence;
  stateOfMamba: number | Absence;
  stateOfConvolution: number | Absence;
  kvOfSequences: number | Absence;
  kvBlock: number | Absence;
  kvBlocks: number | Absence;
  kvWaste: number | Absence;
  maxSequences: number | Absence;
  memoryOfLoad: number | Absence;
  chipsForWeights: number | Absence;
  sliceForWeights: number | Absence;
  fewestChips: number | Absence;
  fewestSlice: number | Absence;
  fewestBought: number | Absence;
  servers: number | Absence;
  serverChips: number | Absence;
  prefillServers: number | Absence;
  prefillServerChips: number | Absence;
  chipsBought: number | Absence;
  nodeChips: number | Absence;
  nodes: number | Absence;
  usersPlaced: number | Absence;
  servingBatch: number | Absence;
  saturated: 'no' | 'yes' | Absence;
  prefillShare: number | Absence;
  queueTime: number | Absence;
  placeTime: number | Absence;
  transferTime: number | Absence;
  beginTime: number | Absence;
  prefillBalance: number | Absence;
  chipsForLoad: number | Absence;
  utilisation: number | Absence;
  prefillTime: number | Absence;
  towerTime: number | Absence;
  promptWithImages: number | Absence;
  prefillBound: 'weights' | 'cache' | 'compute' | 'network' | 'launches' | 'host' | Absence;
  firstToken: number | Absence;
  firstTokenLower: number | Absence;
  firstTokenLow: number | Absence;
  firstTokenHigh: number | Absence;
  tokenTime: number | Absence;
  tokenTimeLower: number | Absence;
  tokenTimeLow: number | Absence;
  tokenTimeHigh: number | Absence;
  answerTime: number | Absence;
  firstTokenTail: number | Absence;
  firstTokenSpread: number | Absence;
  firstTokenBurst: number | Absence;
  tokenTail: number | Absence;
  meetsTargets: 'no' | 'yes' | Absence;
  targetExcess: number | Absence;
  targetLimit:
    | 'none'
    | 'promptFloor'
    | 'prompt'
    | 'queue'
    | 'stepFloor'
    | 'step'
    | 'prompts'
    | 'place'
    | Absence;
  chipsInBudget: number | Absence;
  firstTokenP50: number | Absence;
  firstTokenP90: number | Absence;
  firstTokenP99: number | Absence;
  tokenTimeP50: number | Absence;
  tokenTimeP90: number | Absence;
  tokenTimeP99: number | Absence;
  answerTimeP50: number | Absence;
  answerTimeP90: number | Absence;
  answerTimeP99: number | Absence;
  withinTargets: number | Absence;
  requestGoodput: number | Absence;
  requestGoodputPerChip: number | Absence;
  promptMean: number | Absence;
  answerMean: number | Absence;
  prefixFindable: number | Absence;
  prefixFound: number | Absence;
  foundOnHost: number | Absence;
  foundOnDisk: number | Absence;
  conversationsHeld: number | Absence;
  fetchTime: number | Absence;
  firstTokenCached: number | Absence;
  firstTokenLost: number | Absence;
  decodeStep: number | Absence;
  decodeFloor: number | Absence;
  decodeBound: 'weights' | 'cache' | 'compute' | 'network' | 'launches' | 'host' | Absence;
  decodeMatmuls: number | Absence;
  decodeAttention: number | Absence;
  decodeExperts: number | Absence;
  decodeNetwork: number | Absence;
  decodeElementwise: number | Absence;
  decodeHead: number | Absence;
  decodeLaunches: number | Absence;
  decodeHost: number | Absence;
  mixedStep: number | Absence;
  expertsReached: number | Absence;
  tokensOfStep: number | Absence;
  draftSpeedup: number | Absence;
  releasedTokens: number | Absence;
  outputSpeed: number | Absence;
  outputSpeedLow: number | Absence;
  outputSpeedHigh: number | Absence;
  outputSpeedUpper: number | Absence;
  decodeSpeed: number | Absence;
  decodeSpeedPerChip: number | Absence;
  userSpeed: number | Absence;
  outputSpeedPerChip: number | Absence;
  requestSpeed: number | Absence;
  decodeRequests: number | Absence;
  decodeRequestsPerChip: number | Absence;
  chipHourPrice: number | Absence;
  costAll: number | Absence;
  costInput: number | Absence;
  costOutput: number | Absence;
  tokensPerJoule: number | Absence;
  flopsPerDollar: number | Absence;
  servingCriticalBatch: number | Absence;
  memoryOverNetwork: number | Absence;
  computeOverNetwork: number | Absence;
  decodeTensorLimit: number | Absence;
  stationaryWays: number | Absence;
  stationaryChips: number | Absence;
}

export interface RewardInput {
  chip: ChipFields;
  model: ModelFields;
  reward: RewardFields;
  pools: PoolsFields;
}

export interface RewardAnswers {
  stepExpected: number | Absence;
  stepLow: number | Absence;
  stepHigh: number | Absence;
  stepLower: number | Absence;
  rewardBound: 'generation' | 'tail' | 'training' | 'handOver' | 'rest' | Absence;
  generateTime: number | Absence;
  tailTime: number | Absence;
  logProbTime: number | Absence;
  updateTime: number | Absence;
  criticTime: number | Absence;
  handOverTime: number | Absence;
  restTime: number | Absence;
  idleGeneration: number | Absence;
  idleTraining: number | Absence;
  generateEven: number | Absence;
  generateAlone: number | Absence;
  longestOfBatch: number | Absence;
  busySlots: number | Absence;
  slots: number | Absence;
  samplesOfReplica: number | Absence;
  replicas: number | Absence;
  replicaTensor: number | Absence;
  generationPool: number | Absence;
  trainingPool: number | Absence;
  chosenTensor: number | Absence;
  chosenContext: number | Absence;
  chosenPipeline: number | Absence;
  chosenExpert: number | Absence;
  trainingStep: number | Absence;
  forwardPass: number | Absence;
  bestSplit: number | Absence;
  splitLow: number | Absence;
  splitHigh: number | Absence;
  apartStep: number | Absence;
  turnsStep: number | Absence;
  gainApart: number | Absence;
  rewardFits: 'no' | 'yes' | Absence;
  memoryGenerating: number | Absence;
  generatingLimit: number | Absence;
  memoryTraining: number | Absence;
  memoryLimit: number | Absence;
  hostUsed: number | Absence;
  stepTokens: number | Absence;
  tokensPerSecond: number | Absence;
  rewardSpeedPerChip: number | Absence;
  answersPerHour: number | Absence;
  costPerStep: number | Absence;
  trainingTime: number | Absence;
  chipHours: number | Absence;
  chipHourPrice: number | Absence;
  cost: number | Absence;
}

export interface BudgetInput {
  chip: ChipFields;
  model: ModelFields;
  run: RunFields;
  budget: BudgetFields;
}

export interface BudgetAnswers {
  budgetTokens: number | Absence;
  budgetRatio: number | Absence;
  largestParameters: number | Absence;
  largestTokens: number | Absence;
  trainingTime: number | Absence;
  chipHours: number | Absence;
  totalFlops: number | Absence;
  chipHourPrice: number | Absence;
  cost: number | Absence;
  energy: number | Absence;
  parameters: number | Absence;
  activeParameters: number | Absence;
  trainingFlopsPerToken: number | Absence;
  loss: number | Absence;
  excessLoss: number | Absence;
  optimalParameters: number | Absence;
  optimalTokens: number | Absence;
  optimalLoss: number | Absence;
  neededFlops: number | Absence;
  overtraining: number | Absence;
  lifeParameters: number | Absence;
  lifeTokens: number | Absence;
  lifeSaving: number | Absence;
}

/** The input of each question. */
export interface InputOf {
  training: TrainingInput;
  operation: OperationInput;
  collective: CollectiveInput;
  plan: PlanInput;
  serving: ServingInput;
  reward: RewardInput;
  budget: BudgetInput;
}

/** The answers of each question. */
export interface AnswersOf {
  training: TrainingAnswers;
  operation: OperationAnswers;
  collective: CollectiveAnswers;
  plan: PlanAnswers;
  serving: ServingAnswers;
  reward: RewardAnswers;
  budget: BudgetAnswers;
}
