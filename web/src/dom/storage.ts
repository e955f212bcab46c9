type Key = 'folds' | 'language' | 'machine' | 'runs' | 'theme' | 'welcome';

/** The reader's earlier choice. Storage may be forbidden, e.g. in a sandboxed frame. */
export function recall(key: Key): string | null {
  try {
    return localStorage.getItem(`scaling-calculator.${key}`);
  } catch {
    return null;
  }
}

export function remember(key: Key, value: string): void {
  try {
    localStorage.setItem(`scaling-calculator.${key}`, value);
  } catch {
    // The choice is not remembered: it is made again next time.
  }
}
