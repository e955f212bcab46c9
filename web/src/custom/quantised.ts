// Reads the formats of a file's weights in the terms of the core's servers.

import type { Description, FieldValue } from '../engine/index.ts';
import { withField, type State } from '../model/state.ts';
import { brief, entriesOf, type Entries, type Json } from './json.ts';
import type { Keys } from './keys.ts';

export interface Quantised {
  /** The method's name in the file. */
  method: string;
  /** Fields of the server that follow; without `weights` the format is none that the core knows. */
  server: Readonly<Record<string, FieldValue>>;
  /** Modules that the file lists by name. */
  listed: number;
}

/** The state with a server that takes these formats, in all its parts. */
export function withFormats(
  description: Description,
  state: State,
  server: Quantised['server'],
): State {
  if (server['weights'] === undefined) return state;
  const parts = {
    ...{ attentionWeights: 'asWeights', expertWeights: 'asWeights' },
    ...{ weightBits: null, expertBits: null },
    ...server,
  };
  let next = state;
  for (const [key, value] of Object.entries(parts)) {
    next = withField(description, next, `server.${key}`, value);
  }
  return next;
}

type Format = 'bf16' | 'fp8' | 'fp8Block' | 'int8' | 'int4' | 'mxfp4' | 'nvfp4';

/** Parts of a model that servers may keep in formats of their own. */
type Part = 'attention' | 'experts' | 'head' | 'others';

export function readQuantised(keys: Keys, layers: number): Quantised | undefined {
  const given = keys.find('quantization_config');
  const config = given && keys.entriesOf('quantization_config');
  const expertType = keys.find('expert_dtype')?.value;
  if (!config || config.size === 0) return undefined;
  const method = textOf(config.get('quant_method')) ?? textOf(config.get('quant_algo')) ?? '';
  const formats = formatsOf(config, method.toLowerCase(), layers);
  // DeepSeek-V4: the method is that of all else.
  if (expertType === 'fp4' && !textOf(config.get('moe_quant_algo'))) formats.experts = 'mxfp4';
  const { others } = formats;
  const server: Record<string, FieldValue> = {};
  if (others) server['weights'] = others;
  if (others && formats.attention && formats.attention !== others) {
    server['attentionWeights'] = formats.attention;
  }
  if (others && formats.experts && formats.experts !== others) {
    server['expertWeights'] = formats.experts;
  }
  if (formats.head && formats.head !== 'bf16') server['headWeights'] = formats.head;
  const groups = others ? { ...groupsOf(config, formats), ...bitsOf(config) } : {};
  Object.assign(server, groups, cacheOf(config));
  return { method: brief(method).slice(1, -1), server, listed: listedIn(config) };
}

const textOf = (value: Json | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const numberOf = (value: Json | undefined): number | undefined =>
  typeof value === 'number' ? value : undefined;

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

function formatsOf(config: Entries, method: string, layers: number): Partial<Record<Part, Format>> {
  const algorithm = (textOf(config.get('quant_algo')) ?? '').toUpperCase();
  const modules = namedFormats(config, method);
  if (modules) return modules;
  const experts = byAlgorithm((textOf(config.get('moe_quant_algo')) ?? '').toUpperCase());
  const own = experts && method === 'fp8';
  const format = own ? 'fp8Block' : wholeFormat(config, method, algorithm);
  if (!format) return {};
  // gpt-oss quantises its experts alone, and says it by what it leaves out.
  if (method === 'mxfp4') return { others: 'bf16', attention: 'bf16', experts: format };
  if (own) return { others: format, attention: format, experts };
  const kept = keptParts(config, layers);
  const of = (part: Part): Format => (kept.has(part) ? 'bf16' : format);
  return {
    others: of('others'),
    attention: of('attention'),
    experts: experts ?? of('experts'),
    // llama.cpp quantises the head, too.
    head: isGguf(method) ? format : 'bf16',
  };
}

const isGguf = (method: string): boolean => method.startsWith('gguf');

/** Whether scales are those of blocks; `null` stands for scales of whole matrices. */
const hasBlocks = (config: Entries): boolean =>
  [config.get('weight_block_size') ?? []].flat().length > 0;

function byAlgorithm(algorithm: string): Format | undefined {
  if (/NVFP4/.test(algorithm)) return 'nvfp4';
  if (/MXFP4/.test(algorithm)) return 'mxfp4';
  if (/MXFP8|FP8_(PB|BLOCK)/.test(algorithm)) return 'fp8Block';
  if (/W4A/.test(algorithm)) return 'int4';
  if (/^(W8A8_)?FP8|FP8$/.test(algorithm)) return 'fp8';
  if (/INT8|W8A/.test(algorithm)) return 'int8';
  return undefined;
}

/** The format of all that is quantised, where there is but one. */
function wholeFormat(config: Entries, method: string, algorithm: string): Format | undefined {
  const named = byAlgorithm(algorithm);
  if (named) return named;
  const groups = [...(entriesOf(config.get('config_groups'))?.values() ?? [])];
  const formats = new Set(groups.map((group) => ofGroup(config, entriesOf(group))));
  if (formats.size === 1) return [...formats][0];
  const bits = numberOf(config.get('bits')) ?? numberOf(config.get('w_bit'));
  // MLX names no method.
  if (/^(awq|gptq|auto-round|autoround|gguf|$)/.test(method) && (method || bits)) {
    return bits === 8 ? 'int8' : bits === undefined || bits === 4 ? 'int4' : undefined;
  }
  if (method === 'mxfp4') return 'mxfp4';
  if (/mxfp8/.test(method)) return 'fp8Block';
  if (/fp8|fbgemm/.test(method)) return hasBlocks(config) ? 'fp8Block' : 'fp8';
  if (method === 'bitsandbytes') {
    if (config.get('load_in_8bit') === true) return 'int8';
    return config.get('load_in_4bit') === true ? 'int4' : undefined;
  }
  return undefined;
}

/** A group of compressed-tensors or ModelOpt. */
function ofGroup(config: Entries, group: Entries | undefined): Format | undefined {
  const weights = entriesOf(group?.get('weights'));
  const written = `${textOf(group?.get('format')) ?? ''} ${textOf(config.get('format')) ?? ''}`;
  if (/mxfp4/.test(written)) return 'mxfp4';
  if (/nvfp4/.test(written)) return 'nvfp4';
  const bits = numberOf(weights?.get('num_bits'));
  const float = weights?.get('type') === 'float';
  if (bits === 8 && float) return weights?.get('strategy') === 'block' ? 'fp8Block' : 'fp8';
  if (bits === 4 && float) return weights?.get('group_size') === 32 ? 'mxfp4' : 'nvfp4';
  if (bits === 8) return 'int8';
  return bits === 4 ? 'int4' : undefined;
}

/** The most frequent format in each part, of modules that are listed with their formats. */
function namedFormats(config: Entries, method: string): Partial<Record<Part, Format>> | undefined {
  const counts = new Map<Part, Map<Format, number>>();
  const count = (module: string, format: Format | undefined): void => {
    if (!format) return;
    const part = partOf(module);
    const formats = counts.get(part) ?? new Map<Format, number>();
    counts.set(part, formats.set(format, (formats.get(format) ?? 0) + 1));
  };
  for (const [module, value] of entriesOf(config.get('quantized_layers')) ?? []) {
    const algorithm = textOf(entriesOf(value)?.get('quant_algo')) ?? '';
    count(module, byAlgorithm(algorithm.toUpperCase()));
  }
  const groups = [...(entriesOf(config.get('config_groups'))?.values() ?? [])].map(entriesOf);
  if (counts.size === 0 && groups.length > 1) {
    for (const group of groups) {
      for (const target of listOf(group?.get('targets'))) {
        if (typeof target === 'string') count(target, ofGroup(config, group));
      }
    }
  }
  if (counts.size === 0) return undefined;
  const found: Partial<Record<Part, Format>> = {};
  for (const [part, formats] of counts) {
    found[part] = [...formats].sort(([, one], [, other]) => other - one)[0]![0];
  }
  // Parts that are not listed have the format of the method, or are as they were.
  const rest = method === 'fp8' ? 'fp8Block' : 'bf16';
  return { others: rest, attention: rest, ...found };
}

function partOf(module: string): Part {
  if (/lm_head/.test(module)) return 'head';
  if (/shared_expert/.test(module)) return 'others';
  if (/experts/.test(module)) return 'experts';
  if (/attn|attention|mixer\.(in|out|q|k|v|o)_proj/.test(module)) return 'attention';
  return 'others';
}

/** Parts that the file leaves as they were: named as a whole, or in most of the layers. */
function keptParts(config: Entries, layers: number): Set<Part> {
  const kept = new Set<Part>();
  const places = new Map<Part, Set<string>>();
  for (const key of moduleLists) {
    for (const each of listOf(config.get(key))) {
      if (typeof each !== 'string' || each.length > 200) continue;
      const name = each.replace(/^re:/, '').replaceAll('\\.', '.');
      const part = keptPart(name);
      if (!part) continue;
      const layer = /layers?\.(\d{1,5})\b/.exec(name)?.[1];
      if (layer === undefined) kept.add(part);
      else places.set(part, (places.get(part) ?? new Set<string>()).add(layer));
    }
  }
  for (const [part, numbers] of places) if (numbers.size > layers / 2) kept.add(part);
  return kept;
}

const moduleLists = ['ignore', 'modules_to_not_convert', 'exclude_modules', 'ignored_layers'];

function keptPart(name: string): Part | undefined {
  if (/(self_attn|linear_attn|attention)[.*]*$/.test(name)) return 'attention';
  if (/(attn|attention)\.(o_proj|out_proj|q_proj|q_b_proj|qkv_proj|in_proj_qkv)$/.test(name)) {
    return 'attention';
  }
  if (/shared_experts?([.*]*|\.down_proj)$/.test(name)) {
    return 'others';
  }
  return undefined;
}

function groupsOf(
  config: Entries,
  formats: Partial<Record<Part, Format>>,
): Record<string, FieldValue> {
  if (!Object.values(formats).includes('int4')) return {};
  const groups = entriesOf(config.get('config_groups'));
  const [group] = [...(groups?.values() ?? [])];
  const weights = entriesOf(entriesOf(group)?.get('weights'));
  const size =
    numberOf(config.get('group_size')) ??
    numberOf(config.get('q_group_size')) ??
    numberOf(weights?.get('group_size'));
  const method = textOf(config.get('quant_method')) ?? '';
  const zeros = /^$|awq/.test(method) && !groups && config.get('zero_point') !== false;
  const zeroPoints = zeros ? 'sixteen' : /gptq/.test(method) ? 'four' : 'none';
  const whole = size !== undefined && Number.isInteger(size) && size >= 1 && size <= 1e6;
  return { ...(whole ? { groupSize: size } : {}), zeroPoints };
}

/** The bits of a weight in memory, where these are not whole: GGUF. */
function bitsOf(config: Entries): Record<string, FieldValue> {
  const [all, experts] = [config.get('weight_bits'), config.get('expert_bits')].map(numberOf);
  return {
    // The head's are among them.
    ...(all !== undefined && { weightBits: all, headWeights: 'asWeights' }),
    ...(experts !== undefined && { expertBits: experts }),
  };
}

/** The format of the cache, where the file names it. */
function cacheOf(config: Entries): Record<string, FieldValue> {
  const scheme = config.get('kv_cache_scheme') ?? config.get('kv_cache_quant_algo');
  const named = typeof scheme === 'string' ? scheme.toUpperCase() : undefined;
  const entries = entriesOf(scheme);
  const bits = numberOf(entries?.get('num_bits'));
  if (named === 'FP8' || (bits === 8 && entries?.get('type') === 'float')) {
    return { cacheFormat: 'fp8' };
  }
  if (named === 'INT8' || bits === 8) return { cacheFormat: 'int8' };
  if (named === 'NVFP4') return { cacheFormat: 'nvfp4' };
  return {};
}

/** The modules that the file lists by name, quantised or not. */
function listedIn(config: Entries): number {
  const names = moduleLists.map((key) => listOf(config.get(key)).length);
  return Math.max(...names) + (entriesOf(config.get('quantized_layers'))?.size ?? 0);
}
