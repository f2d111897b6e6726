/** `Content-Disposition` for a file name in any script (RFC 6266): an ASCII parameter and an encoded one. */
export function formatContentDisposition(fileName: string): string {
  const clean = fileName.replaceAll(/[\p{Cc}\u2028\u2029/\\]/gu, '_').toWellFormed() || 'download'
  const plain = clean.replaceAll(/[^\x20-\x7e]|["%]/g, '_')
  const encoded = encodeURIComponent(clean).replaceAll(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
