import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { extractText, getDocumentProxy } from 'unpdf'
import { listFontFiles, makeDocumentFonts } from '../../../platform/pdf-text/fonts.ts'
import { renderReportPdf } from './render-report.ts'
import type { ReportDocument } from './report-document.ts'
import { createTextRunDivider } from '../../../platform/pdf-text/text-runs.ts'

/** A place of each script, with vowels on both sides of their letter, conjuncts and joiners where the script has them. */
const placeNames = {
  Adlam: '𞤊𞤵𞤱𞤼𞤢 𞤀𞤣𞤤𞤢𞤥',
  Arabic: 'مزارع النخيل',
  Armenian: 'Երևան',
  Balinese: 'ᬩᬮᬶ',
  Bengali: 'চট্টগ্রাম কোলকাতা',
  'Canadian Aboriginal': 'ᐃᖃᓗᐃᑦ',
  Cherokee: 'ᏣᎳᎩ ᏓᎵᏆ',
  Chinese: '广州市的农田 臺灣高雄',
  Cyrillic: 'Київ, Өскемен',
  Devanagari: 'श्रीनगर दिल्ली काठमाडौं',
  Ethiopic: 'አዲስ አበባ',
  Georgian: 'თბილისი',
  Greek: 'Αθήνα',
  Gujarati: 'અમદાવાદ ગાંધીનગર સૌરાષ્ટ્ર',
  Gurmukhi: 'ਅੰਮ੍ਰਿਤਸਰ ਲੁਧਿਆਣਾ',
  Hebrew: 'תל אביב, יְרוּשָׁלַיִם',
  Japanese: '東京都千代田区 サッポロ',
  Javanese: 'ꦪꦺꦴꦒꦾꦏꦂꦠ',
  Kannada: 'ಬೆಂಗಳೂರು ಶ್ರೀರಂಗಪಟ್ಟಣ',
  Khmer: 'ភ្នំពេញ សៀមរាប ព្រះសីហនុ',
  Korean: '서울특별시',
  Lao: 'ວຽງຈັນ ຫຼວງພະບາງ ນ້ຳ',
  Latin: 'Thành phố Hồ Chí Minh, Ọ̀ṣun, Łódź',
  Malayalam: 'തിരുവനന്തപുരം കോഴിക്കോട്',
  'Meetei Mayek': 'ꯏꯝꯐꯥꯜ',
  Mongolian: 'ᠤᠯᠠᠭᠠᠨᠪᠠᠭᠠᠲᠤᠷ',
  Myanmar: 'ရန်ကုန် မန္တလေး နေပြည်တော်',
  NKo: 'ߓߡߊ߬ߞߐ߫',
  'Ol Chiki': 'ᱥᱟᱱᱛᱟᱲᱤ',
  Oriya: 'ଭୁବନେଶ୍ୱର କଟକ',
  Persian: 'نی‌ریز',
  Sinhala: 'ශ්‍රී ලංකා කොළඹ',
  Sundanese: 'ᮘᮔ᮪ᮓᮥᮀ',
  Syriac: 'ܡܕܝܢܬܐ',
  Tamil: 'திருச்சிராப்பள்ளி கொழும்பு',
  Telugu: 'హైదరాబాద్ శ్రీకాకుళం',
  Thaana: 'މާލެ',
  Thai: 'กรุงเทพ ที่นี่ น้ำ',
  Tibetan: 'ལྷ་ས། གཞིས་ཀ་རྩེ།',
  Tifinagh: 'ⵜⵉⵣⵉ ⵓⵣⵣⵓ',
  Yi: 'ꆈꌠꁱꂷ',
} as const

const documentOf = (rows: readonly (readonly string[])[]): ReportDocument => ({
  title: 'Places',
  subtitle: 'Acme',
  facts: [],
  charts: [],
  map: null,
  table: { title: 'Details', columns: [{ title: 'Name', weight: 1 }], rows, omitted: 0 },
  footer: 'Acme',
})

async function readText(bytes: Uint8Array): Promise<string> {
  const { text } = await extractText(await getDocumentProxy(Uint8Array.from(bytes)), { mergePages: true })
  return text
}

/** The visible characters of a text, each decomposed: a reader may add spaces and leave out joiners. */
const toLetters = (text: string): string => text.normalize('NFKD').replaceAll(/[\s\u200c\u200d]/gu, '')

/** Scripts that are read from right to left. */
const rightToLeft = new Set<string>(['Adlam', 'Arabic', 'Hebrew', 'NKo', 'Persian', 'Syriac', 'Thaana'])

/** Readers of PDF leave the letters or the marks of these in the order in which they are seen. */
const readAsSeen = new Set<string>(['Adlam', 'NKo', 'Thaana'])

test('a place of each script is shaped with glyphs of its typeface, and read back from the PDF', async () => {
  const names = Object.values(placeNames)
  const fonts = await makeDocumentFonts(names)
  const divideIntoRuns = createTextRunDivider(fonts)
  for (const [script, name] of Object.entries(placeNames)) {
    assert.equal(fonts.toPrintable(name), name.normalize('NFC'), script)
    const texts = divideIntoRuns(name.normalize('NFC'), 400).map(({ text }) => text)
    assert.ok(!texts.includes('?'), script)
    assert.equal(texts.at(-1)!.startsWith('\u200f'), rightToLeft.has(script), script)
  }
  const text = toLetters(await readText(await renderReportPdf(documentOf(names.map((name) => [name])), new Date(0))))
  for (const [script, name] of Object.entries(placeNames))
    if (!readAsSeen.has(script)) assert.ok(text.includes(toLetters(name)), `${script}: ${name} in ${text}`)
})

test('vowels, conjuncts and joiners change the glyphs as their script demands', async () => {
  const fonts = await makeDocumentFonts(['ශ්‍රී ශ්රී', 'हि ह', 'কো ক', 'ก้ำ'])
  const shape = (text: string) => {
    const { glyphs, positions } = fonts.fonts.get(fonts.nameOf(fonts.splitUnits(text)[0]!, 400))!.layout(text)
    return glyphs.map(({ glyph, codePoints }, at) => ({ glyph, text: String.fromCodePoint(...codePoints), ...positions[at]! })) // prettier-ignore
  }
  const numbersOf = (text: string) => shape(text).map(({ glyph }) => glyph)
  assert.notDeepEqual(numbersOf('ශ්‍රී'), numbersOf('ශ්රී'), 'the joiner makes a conjunct')
  assert.equal(numbersOf('हि').at(-1), numbersOf('ह')[0], 'the vowel is left of its letter')
  assert.equal(numbersOf('কো')[1], numbersOf('ক')[0], 'the vowel is on both sides of its letter')
  assert.equal(shape('কো').map(({ text }) => text).join('').normalize('NFC'), 'কো'.normalize('NFC')) // prettier-ignore
  assert.ok(
    shape('ก้ำ').some(({ xAdvance, glyph }) => glyph !== 0 && xAdvance === 0),
    'marks have no width',
  )
})

test('no sequence of the characters of a typeface fails', async () => {
  const files = (await listFontFiles()).filter(({ name }) => !/-(?:jp|kr|sc)-/.test(name))
  const sequences = files.flatMap(({ ranges }, seed) => {
    const codePoints = ranges.flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, at) => first + at),
    )
    const letters = codePoints.filter((codePoint) => codePoint > 0x2ff || ranges.length < 6)
    const character = fc.constantFrom(...(letters.length > 0 ? letters : codePoints)).map((one) => String.fromCodePoint(one)) // prettier-ignore
    return fc.sample(fc.string({ unit: character, minLength: 1, maxLength: 8 }), { numRuns: 100, seed })
  })
  const fonts = await makeDocumentFonts(sequences)
  const divideIntoRuns = createTextRunDivider(fonts)
  const widths = sequences.map((sequence) =>
    divideIntoRuns(fonts.toPrintable(sequence), 700).reduce((sum, { text, font }) => {
      return sum + fonts.fonts.get(font)!.layout(text).advanceWidth
    }, 0),
  )
  assert.ok(widths.every((width) => width >= 0 && Number.isFinite(width)))
  const rows = sequences.filter((_, at) => at % 10 === 0).map((sequence) => [sequence])
  assert.ok((await renderReportPdf(documentOf(rows), new Date(0))).length > 100_000)
})
