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

/**
 * The parameter of a signed URL from which programs that look only at the URL name the file. They append the extension of its path,
 * and some keep quotation marks. The server itself ignores it, and no signature covers it.
 */
export function createFileNameParameter(path: string, fileName: string): Record<string, string> {
  const [extension = ''] = /\.\w+$/.exec(path) ?? []
  const stem = extension !== '' && fileName.endsWith(extension) ? fileName.slice(0, -extension.length) : fileName
  const token = stem.normalize('NFC').replaceAll(/[^\p{L}\p{N}._-]/gu, '_')
  return token === '' ? {} : { 'response-content-disposition': `attachment; filename=${token}` }
}
