/** Lets the browser save a file at a URL, or bytes that the page has made. */
export function saveFile(source: string | Blob, name: string): void {
  const url = typeof source === 'string' ? source : URL.createObjectURL(source)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  if (typeof source !== 'string') setTimeout(() => URL.revokeObjectURL(url))
}
