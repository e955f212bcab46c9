// Copies to the clipboard, where the browser and the frame around the page allow it.

/** Copies a field's text; where that is refused, the text is left selected. */
export async function copyText(field: HTMLTextAreaElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.focus();
    field.select();
    // Older, and allowed in places where the clipboard is not, such as pages without https.
    return document.execCommand('copy');
  }
}

export async function copyImage(image: () => Promise<Blob>): Promise<boolean> {
  try {
    // A promise of it: by the time that it is drawn, the click would be forgotten.
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': image() })]);
    return true;
  } catch {
    return false;
  }
}
