/** Gives the reader a file that the page made. */
export function save(fileName: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  // The download holds what it needs once it has begun.
  setTimeout(() => URL.revokeObjectURL(address));
}

export function toPng(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('This browser makes no PNG'))),
      'image/png',
    );
  });
}
