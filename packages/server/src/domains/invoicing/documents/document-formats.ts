import { writeLinesCsv } from './lines-csv.ts'
import { renderDocumentPdf } from './print-document.ts'
import { writeUbl } from './ubl/write-ubl.ts'
import type { BillingDocument } from './billing-document.ts'

interface DocumentFormat {
  readonly media_type: string
  readonly extension: string
  readonly write: (document: BillingDocument) => Promise<Uint8Array> | Uint8Array
}

/** The forms of a document: for people, for accounting software, and its lines for spreadsheets. */
export const documentFormats = {
  pdf: { media_type: 'application/pdf', extension: 'pdf', write: renderDocumentPdf },
  xml: { media_type: 'application/xml', extension: 'xml', write: (document) => Buffer.from(writeUbl(document)) },
  csv: { media_type: 'text/csv', extension: 'csv', write: (document) => Buffer.from(writeLinesCsv(document)) },
} as const satisfies Readonly<Record<string, DocumentFormat>>
