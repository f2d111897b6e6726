import assert from 'node:assert/strict'
import { test } from 'node:test'
import { extractText, getDocumentProxy } from 'unpdf'
import { makeInvoiceDocument, makeDocumentLine } from '../../../../test/billing-documents.ts'
import type { BillingDocument } from './billing-document.ts'
import { renderBillingDocumentPdf } from './print-document.ts'

const codePage = new TextDecoder('windows-1252')
const latin1 = new TextDecoder('latin1')

/** The texts of each page in drawing order, one string per text operation. */
async function renderAndParse(document: BillingDocument) {
  const bytes = await renderBillingDocumentPdf(document)
  const pdf = latin1.decode(bytes)
  const streams = [...pdf.matchAll(/stream\n([\s\S]*?)\nendstream/g)]
    .map(([, stream]) => stream!)
    .filter((stream) => stream.includes('\nBT\n'))
  const pages = streams.map((stream) => [...stream.matchAll(/\[(.*?)\] TJ/g)].map(([, parts]) => decodeText(parts!)))
  return { bytes, pdf, pages, texts: pages.flat(), all: pages.flat().join('\n') }
}

const decodeText = (parts: string): string =>
  [...parts.matchAll(/<([0-9a-f]*)>/g)].map(([, hex]) => codePage.decode(Buffer.from(hex!, 'hex'))).join('')

test('renders a PDF of one page with a valid cross-reference offset and a title', async () => {
  const { pdf, bytes } = await renderAndParse(makeInvoiceDocument())
  assert.ok(bytes instanceof Uint8Array)
  assert.match(pdf, /^%PDF-1\.7\n/)
  assert.match(pdf, /%%EOF\n?$/)
  assert.equal(pdf.slice(Number(/startxref\n(\d+)/.exec(pdf)![1])).slice(0, 4), 'xref')
  assert.match(pdf, /\/Count 1\b/)
  assert.match(pdf, /\(Tax invoice INV-2026-000123\)/)
  assert.match(pdf, /\(D:20260301000000Z\)/)
})

test('the same document gives the same bytes, and a different one gives different bytes', async () => {
  const [first, second] = [
    await renderBillingDocumentPdf(makeInvoiceDocument()),
    await renderBillingDocumentPdf(structuredClone(makeInvoiceDocument())),
  ]
  assert.deepEqual(first, second)
  assert.notDeepEqual(first, await renderBillingDocumentPdf(makeInvoiceDocument({ number: 'INV-2026-000124' })))
})

test('a tax invoice contains what the Australian Taxation Office requires', async () => {
  const { texts } = await renderAndParse(
    makeInvoiceDocument({ due_at: '2026-03-31T00:00:00.000Z', total_cents: 110_000, gst_cents: 10_000 }),
  )
  const expectedTexts = [
    'Tax invoice',
    'Swath Imagery Pty Ltd',
    'ABN 51 824 753 556',
    '1 March 2026',
    'Hunter Valley Geospatial Pty Ltd',
    'ABN 53 004 085 616',
    'Photographs, standard licence',
    '125.7143 km²',
    '$3.50',
    '$440.00',
    '$100.00',
    '$1,100.00',
    'due by 31 March 2026',
    'S',
    'How to pay',
    '062-000',
    '12345678',
    'INV-2026-000123',
  ]
  for (const text of expectedTexts) assert.ok(texts.includes(text), text)
})

test('a document without GST says so and is not called a tax invoice', async () => {
  const { all } = await renderAndParse(makeInvoiceDocument({ gst_cents: null }))
  assert.doesNotMatch(all, /Tax invoice|GST \(/)
  assert.match(all, /No GST applies/)
})

test('a credit note names the invoice that it corrects', async () => {
  const { texts } = await renderAndParse(
    makeInvoiceDocument({ kind: 'credit_note', number: 'CN-1', reference: 'INV-2026-000123' }),
  )
  for (const text of [
    'Credit note',
    'Adjustment note for GST',
    'Corrects tax invoice',
    'INV-2026-000123',
    'Credited to',
  ])
    assert.ok(texts.includes(text), text)
})

test('a long list continues on further pages with headings and page numbers, and every line appears once', async () => {
  const lines = Array.from({ length: 120 }, (_, index) => makeDocumentLine({ description: `Scene number ${index}` }))
  const { pages, texts, pdf } = await renderAndParse(makeInvoiceDocument({ lines }))
  assert.ok(pages.length > 2)
  assert.match(pdf, new RegExp(`/Count ${pages.length}\\b`))
  for (const [index, page] of pages.entries()) {
    assert.ok(page.includes('Description') && page.includes('Amount'), `page ${index + 1}`)
    assert.ok(page.includes(`Tax invoice INV-2026-000123 · Page ${index + 1} of ${pages.length}`))
    assert.equal(page.includes('Tax invoice INV-2026-000123, continued'), index > 0)
  }
  assert.deepEqual(
    texts.filter((text) => text.startsWith('Scene number')),
    lines.map(({ description }) => description),
  )
})

test('the totals are not split across pages', async () => {
  for (let count = 14; count < 24; count += 1) {
    const { pages } = await renderAndParse(
      makeInvoiceDocument({ lines: Array.from({ length: count }, () => makeDocumentLine()), notes: ['Thank you.'] }),
    )
    const last = pages.at(-1)!
    for (const text of ['Total without GST', 'GST (10%)', 'Total (AUD)', 'Thank you.'])
      assert.ok(last.includes(text), `${count} lines: ${text}`)
  }
})

test('long descriptions wrap, also across pages, and long words are broken without losing letters', async () => {
  const words = Array.from({ length: 900 }, (_, index) => `w${index}`).join(' ')
  const { all, pages } = await renderAndParse(
    makeInvoiceDocument({ lines: [makeDocumentLine({ description: words })] }),
  )
  assert.ok(pages.length > 1)
  assert.deepEqual(all.match(/\bw\d+\b/g), words.split(' '))
  const endless = Array.from({ length: 1000 }, (_, index) => 'abcdefghij'[index % 10]).join('')
  const broken = await renderAndParse(makeInvoiceDocument({ lines: [makeDocumentLine({ description: endless })] }))
  assert.equal(broken.texts.filter((text) => /^[a-j]+$/.test(text)).join(''), endless)
})

test('control characters are dropped, and white space becomes single spaces', async () => {
  const { buyer } = makeInvoiceDocument()
  const { texts, pdf } = await renderAndParse(
    makeInvoiceDocument({
      buyer: { ...buyer, address: ['a\u0000b\u0007c'] },
      lines: [makeDocumentLine({ description: 'two\r\nlines (and \\ brackets)' })],
    }),
  )
  for (const text of ['abc', 'two lines (and \\ brackets)']) assert.ok(texts.includes(text), text)
  assert.doesNotMatch(pdf.replaceAll('\n', '').slice(20), /\p{Cc}(?<![\u0080-\u009f])/u)
})

/** The text of a document with embedded fonts, read by PDF.js, without white space. */
async function readShaped(document: BillingDocument): Promise<string> {
  const bytes = await renderBillingDocumentPdf(document)
  assert.equal(latin1.decode(bytes).includes('/FontFile2'), true, 'fonts are embedded')
  const { text } = await extractText(await getDocumentProxy(Uint8Array.from(bytes)), { mergePages: true })
  return text.normalize('NFC').replaceAll(/\s/g, '')
}

test('names in any script are printed as they are written, with embedded fonts', async () => {
  const { buyer } = makeInvoiceDocument()
  const names = ['شركة الصور', '中国卫星', 'Łódź', 'શ્રી ગણેશ']
  const document = makeInvoiceDocument({
    buyer: { ...buyer, name: names[0]!, address: names.slice(1) },
    lines: [makeDocumentLine({ description: '衛星画像'.repeat(40) })],
  })
  const text = await readShaped(document)
  for (const name of [...names, '衛星画像'.repeat(3), '$440.00'])
    assert.ok(text.includes(name.replaceAll(' ', '')), name)
  assert.doesNotMatch(text, /cannotbeprinted/)
  assert.deepEqual(await renderBillingDocumentPdf(document), await renderBillingDocumentPdf(document))
})

test('a character without a typeface is a question mark, with a note', async () => {
  const { buyer } = makeInvoiceDocument()
  const text = await readShaped(makeInvoiceDocument({ buyer: { ...buyer, name: 'Café 👍' } }))
  assert.match(text, /Café\?/)
  assert.match(text, /Somecharacterscannotbeprintedhere/)
})

test('very long names and addresses are truncated, so that the rest of the document fits', async () => {
  const address = Array.from({ length: 60 }, (_, index) => `Line ${index} of an address that does not end`)
  const { seller, buyer } = makeInvoiceDocument()
  const { pages, texts } = await renderAndParse(
    makeInvoiceDocument({
      seller: { ...seller, name: 'S '.repeat(200), address },
      buyer: { ...buyer, name: 'B'.repeat(255), address },
    }),
  )
  assert.ok(pages.length <= 2)
  assert.ok(texts.includes('$440.00') && texts.some((text) => text.endsWith('…')))
})

test('a document without lines is rendered', async () => {
  const { texts } = await renderAndParse(makeInvoiceDocument({ lines: [], total_cents: 0, gst_cents: 0 }))
  assert.ok(texts.includes('$0.00') && texts.includes('Total (AUD)'))
})

/** The structure types of a document in the order in which they are written. */
const listTags = (pdf: string): string[] => [...pdf.matchAll(/\/S \/(\w+)\n/g)].map(([, tag]) => tag!)

test('a document is tagged, with a language, a heading and the cells of its table', async () => {
  const { pdf } = await renderAndParse(makeInvoiceDocument({ lines: [makeDocumentLine(), makeDocumentLine()] }))
  assert.match(pdf, /\/MarkInfo/)
  assert.match(pdf, /\/Marked true/)
  assert.match(pdf, /\/StructTreeRoot/)
  assert.match(pdf, /\/Lang \(en-AU\)/)
  const tags = listTags(pdf)
  const count = (tag: string): number => tags.filter((other) => other === tag).length
  assert.deepEqual(['Document', 'H1', 'Table', 'TR', 'TH', 'TD'].map(count), [1, 1, 1, 3, 5, 10])
  const marked = (pdf.match(/\b(BMC|BDC)\b/g) ?? []).length
  assert.equal((pdf.match(/\bEMC\b/g) ?? []).length, marked)
})

test('every page of a document of play money or a sandbox says that it is not a tax invoice, without tax or bank account', async () => {
  const lines = Array.from({ length: 60 }, () => makeDocumentLine())
  for (const purpose of ['play_money', 'sandbox'] as const) {
    const { pages, all } = await renderAndParse(makeInvoiceDocument({ purpose, lines }))
    assert.ok(pages.length > 1)
    for (const page of pages) assert.ok(page.some((text) => /not a tax invoice. Nothing was paid/.test(text)))
    assert.doesNotMatch(all, /Tax invoice|GST|How to pay|\(AUD\)/)
  }
})

test('a paid document says how it was paid, and an open one without a bank account whom to ask', async () => {
  const payment = { method: 'card', card_brand: 'american_express', card_last4: '0005', reference: 'pi_1' } as const
  const paid = await renderAndParse(makeInvoiceDocument({ kind: 'receipt', payment }))
  for (const text of ['How it was paid', 'American Express ending in 0005', 'pi_1'])
    assert.ok(paid.texts.includes(text), text)
  const { seller } = makeInvoiceDocument()
  const open = await renderAndParse(makeInvoiceDocument({ seller: { ...seller, bank: null } }))
  assert.ok(open.texts.includes('on request from accounts@swath.example'))
})

test('a line names its scene and its order', async () => {
  const { texts } = await renderAndParse(
    makeInvoiceDocument({ lines: [makeDocumentLine({ scene_id: 'commercial:naip-1', order_id: 'order-1' })] }),
  )
  for (const text of ['Scene commercial:naip-1', 'Order order-1', 'S']) assert.ok(texts.includes(text), text)
})
