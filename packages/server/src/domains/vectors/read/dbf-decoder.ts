import { decode, encodingExists } from 'iconv-lite'

export type DbfTextDecoder = (bytes: Uint8Array) => string

/** Code pages by the language driver byte of the header, in hexadecimal, of dBASE, FoxPro and ArcGIS. */
const driversByCodePage: Readonly<Record<string, string>> = {
  cp437: '01 09 0b 0d 0f 11 15 18 19 1b',
  cp850: '02 0a 0e 10 12 14 16 1a 1d 25 37',
  cp852: '1f 22 23 40 64 87',
  cp860: '24',
  cp861: '67',
  cp863: '1c 6c',
  cp865: '08 17 66',
  cp866: '26 65',
  cp737: '6a 86',
  cp857: '6b 88',
  macroman: '04',
  maccyrillic: '96',
  maccenteuro: '97',
  macgreek: '98',
  cp874: '50 7c',
  shift_jis: '13 7b',
  gbk: '4d 7a',
  cp949: '4e 79',
  big5: '4f 78',
  win1250: 'c8',
  win1251: 'c9',
  win1252: '03 57 58 59',
  win1253: 'cb',
  win1254: 'ca',
  win1255: '7d',
  win1256: '7e',
  win1257: 'cc',
}

const encodingByDriver: ReadonlyMap<number, string> = new Map(
  Object.entries(driversByCodePage).flatMap(([encoding, drivers]) =>
    drivers.split(' ').map((driver): [number, string] => [Number.parseInt(driver, 16), encoding]),
  ),
)

/** Encodings by the numbers of .cpg files that are not names of the library with `cp` before them. */
const encodingByNumber: Readonly<Record<string, string>> = {
  '65001': 'utf-8',
  '10000': 'macroman',
  '10007': 'maccyrillic',
  '10029': 'maccenteuro',
  '10006': 'macgreek',
  '932': 'shift_jis',
  '936': 'gbk',
  '950': 'big5',
}

/**
 * Creates the text decoder of a table. If neither the .cpg file nor the header names a known code page, text is decoded as
 * UTF-8 if it is valid, else as Windows-1252, the most common encoding.
 */
export function createDbfDecoder(codePage: string | null, driver: number): DbfTextDecoder {
  const named = codePage === null ? undefined : findEncoding(codePage)
  const encoding = named ?? encodingByDriver.get(driver)
  if (encoding !== undefined) return (bytes) => decode(Buffer.from(bytes), encoding)
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  return (bytes) => {
    try {
      return utf8.decode(bytes)
    } catch {
      return decode(Buffer.from(bytes), 'win1252')
    }
  }
}

/** `UTF-8`, `ISO 88591`, `88591`, `ANSI 1252`, `OEM 850`, `CP852`, `LDID/87`, `936`, …; undefined for one that is not known. */
function findEncoding(codePage: string): string | undefined {
  const text = codePage.trim().slice(0, 40).toLowerCase()
  const number = /(?<!\d)(\d+)\s*$/.exec(text)?.[1] ?? ''
  if (text.startsWith('ldid')) return encodingByDriver.get(Number(number))
  const names = [
    Object.hasOwn(encodingByNumber, number) ? encodingByNumber[number]! : '',
    /^8859\d+$/.test(number) ? `iso-8859-${number.slice(4)}` : '',
    /^\d+$/.test(number) ? `cp${number}` : '',
    text,
  ]
  return names.find((name) => name !== '' && encodingExists(name))
}
