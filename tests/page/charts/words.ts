import en from '../../../shared/text/en.json';
import zh from '../../../shared/text/zh.json';
import type { PlanWords, Words } from '../../../web/src/charts/index.ts';

/** Words that charts share with the page. */
export const dictionaries = { en, zh };
export type Spoken = keyof typeof dictionaries;

export const words: Record<Spoken, Omit<Words, 'bounds'>> = {
  en: {
    dataTable: 'Data table',
    downloadSvg: 'Download SVG',
    downloadPng: 'Download PNG',
    downloadCsv: 'Download CSV',
    points: 'Operations',
    kind: 'What it is',
    name: 'Name',
    bound: 'Bottleneck',
    bandwidth: 'Bandwidth',
    peak: 'Peak',
    slope: 'Bandwidth',
    chip: 'Chip',
    operation: 'Operation',
    zone: 'Zone, up to',
    mark: 'Critical points',
    from: 'from',
    to: 'to',
    none: 'no value',
  },
  zh: {
    dataTable: '数据表',
    downloadSvg: '下载 SVG',
    downloadPng: '下载 PNG',
    downloadCsv: '下载 CSV',
    points: '各个操作',
    kind: '类别',
    name: '名称',
    bound: '瓶颈',
    bandwidth: '带宽',
    peak: '峰值算力',
    slope: '带宽',
    chip: '芯片',
    operation: '操作',
    zone: '区间，上限',
    mark: '临界点',
    from: '起',
    to: '止',
    none: '无数值',
  },
};

export const planWords: Record<Spoken, Omit<PlanWords, keyof Words>> = {
  en: { total: 'Total', free: 'Free', over: 'Over by', idle: 'Idle' },
  zh: { total: '合计', free: '剩余', over: '超出', idle: '空闲' },
};
