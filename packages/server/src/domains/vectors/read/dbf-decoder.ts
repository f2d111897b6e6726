export type DbfTextDecoder = (bytes: Uint8Array) => string

/** Encodings by the language driver byte of the header, if a decoder exists. */
const encodingByDriver: Readonly<Record<number, string>> = {
  0x03: 'windows-1252',
  0x13: 'shift_jis',
  0x26: 'ibm866',
  0x4d: 'gbk',
  0x4e: 'euc-kr',
  0x4f: 'big5',
  0x50: 'windows-874',
  0x57: 'windows-1252',
  0x58: 'windows-1252',
  0x59: 'windows-1252',
  0x65: 'ibm866',
  0x78: 'big5',
  0x79: 'euc-kr',
  0x7a: 'gbk',
  0x7b: 'shift_jis',
  0x7c: 'windows-874',
  0x7d: 'windows-1255',
  0x7e: 'windows-1256',
  0xc8: 'windows-1250',
  0xc9: 'windows-1251',
  0xca: 'windows-1254',
  0xcb: 'windows-1253',
}

/** Encodings by the code page numbers of .cpg files. */
const encodingByCodePage: Readonly<Record<string, string>> = {
  '65001': 'utf-8',
  '866': 'ibm866',
  '874': 'windows-874',
  '932': 'shift_jis',
  '936': 'gbk',
  '949': 'euc-kr',
  '950': 'big5',
}

/**
 * Creates the text decoder of a table. If neither the .cpg file nor the header names a known code page, text is decoded as
 * UTF-8 if it is valid, else as Windows-1252, the most common encoding.
 */
export function createDbfDecoder(codePage: string | null, driver: number): DbfTextDecoder {
  const label = codePage === null ? encodingByDriver[driver] : (toEncodingLabel(codePage) ?? encodingByDriver[driver])
  const knownDecoder = label === undefined ? null : createDecoder(label)
  if (knownDecoder) return (bytes) => knownDecoder.decode(bytes)
  const [utf8, windows1252] = [new TextDecoder('utf-8', { fatal: true }), new TextDecoder('windows-1252')]
  return (bytes) => {
    try {
      return utf8.decode(bytes)
    } catch {
      return windows1252.decode(bytes)
    }
  }
}

/** `UTF-8`, `ISO 88591`, `88591`, `ANSI 1252`, `LDID/87`, `936`, … */
function toEncodingLabel(codePage: string): string | undefined {
  const text = codePage.trim().slice(0, 40).toLowerCase()
  const number = /(?<!\d)(\d+)\s*$/.exec(text)?.[1] ?? ''
  if (text.startsWith('ldid')) return encodingByDriver[Number(number)]
  if (Object.hasOwn(encodingByCodePage, number)) return encodingByCodePage[number]
  if (/^125\d$/.test(number)) return `windows-${number}`
  if (/^8859\d+$/.test(number)) return `iso-8859-${number.slice(4)}`
  return text
}

function createDecoder(label: string): InstanceType<typeof TextDecoder> | null {
  try {
    return new TextDecoder(label)
  } catch {
    return null
  }
}
