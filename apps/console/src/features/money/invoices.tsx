import { Link } from '@tanstack/react-router'
import { FileText } from 'lucide-react'
import { useState } from 'react'
import type { OutputOf } from '@swath/client/operations.ts'
import { usePlatform } from '../../api/platform.tsx'
import { useOperation } from '../../api/use-operation.ts'
import { keepView } from '../../map/keep-view.ts'
import { moneyTexts } from '../../texts/money.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import { formatAud, formatDate } from '../../ui/format.ts'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Section } from '../../ui/screen.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { OrganizationDetails } from './organization-details.tsx'
import { MoneyScreen } from './money-screen.tsx'
import styles from './money.module.css'
import typography from '../../ui/typography.module.css'

type Invoice = OutputOf<'billing.invoices.list'>['invoices'][number]

const mediaTypes = { pdf: 'application/pdf', xml: 'application/xml', csv: 'text/csv' } as const
type Format = keyof typeof mediaTypes

/** The receipt of an invoice is not an invoice, so it has no XML. */
const listFormats = ({ kind, belongs_to_id }: Invoice): readonly Format[] =>
  kind === 'receipt' && belongs_to_id !== null ? ['pdf', 'csv'] : ['pdf', 'xml', 'csv']

/**
 * Invoices, receipts and credit notes, each as PDF, XML and CSV, and the details of the organization on the next ones.
 */
export function Invoices() {
  const { client } = usePlatform()
  const invoices = useOperation('billing.invoices.list', { limit: 100 })
  const [error, setError] = useState<unknown>(null)
  const download = async ({ id, number }: Invoice, format: Format): Promise<void> => {
    const bytes = await client.bytes('billing.invoices.download', { invoice_id: id, format })
    saveFile(new Blob([bytes as BlobPart], { type: mediaTypes[format] }), `${number ?? id}.${format}`)
  }
  const { invoice: words } = moneyTexts
  return (
    <MoneyScreen actions={<CopyCall operation="billing.invoices.list" input={{ limit: 100 }} />}>
      <QueryView query={invoices} rows={3}>
        {({ invoices: known }) =>
          known.length === 0 ? (
            <>
              <EmptyState icon={FileText} title={moneyTexts.noInvoices}>
                <p>{moneyTexts.noInvoicesHelp}</p>
                <Link to="/money" search={keepView}>
                  {moneyTexts.toTopUp}
                </Link>
              </EmptyState>
              <Section title={moneyTexts.documents}>
                <Facts facts={Object.entries(words.kinds).map(([kind, name]) => [name, moneyTexts.documentOf[kind]])} />
              </Section>
            </>
          ) : (
            <div className={styles['table']}>
              <DataTable<Invoice>
                label={moneyTexts.invoices}
                rows={known}
                getKey={({ id }) => id}
                fileName="invoices"
                columns={[
                  {
                    title: words.number,
                    value: ({ number, status }) => number ?? words.statuses[status],
                    render: ({ number, kind, purpose }) => (
                      <>
                        {number ?? words.statuses.draft}
                        <br />
                        <small className={typography['muted']}>
                          {words.kinds[kind]}
                          {purpose !== 'billing' && `, ${words.purposes[purpose]}`}
                        </small>
                      </>
                    ),
                  },
                  {
                    title: words.date,
                    value: ({ issued_at }) => issued_at,
                    render: ({ issued_at }) => issued_at && formatDate(issued_at),
                  },
                  {
                    title: words.status,
                    value: ({ status }) => words.statuses[status],
                    render: ({ status, due_at }) =>
                      [words.statuses[status], status === 'open' && due_at && words.due(formatDate(due_at))]
                        .filter(Boolean)
                        .join(', '),
                  },
                  {
                    title: words.total,
                    isNumeric: true,
                    value: ({ total_aud }) => total_aud,
                    render: ({ total_aud, gst_aud }) => (
                      <>
                        {formatAud(total_aud)}
                        {gst_aud !== null && (
                          <>
                            <br />
                            <small className={typography['muted']}>{words.gst(formatAud(gst_aud))}</small>
                          </>
                        )}
                      </>
                    ),
                  },
                  {
                    title: words.files,
                    render: (invoice) => (
                      <FileButtons
                        invoice={invoice}
                        onDownload={(format) => void download(invoice, format).catch(setError)}
                      />
                    ),
                  },
                ]}
              />
            </div>
          )
        }
      </QueryView>
      {error !== null && <ProblemNote error={error} isRead />}
      <OrganizationDetails />
    </MoneyScreen>
  )
}

interface FileButtonsProps {
  readonly invoice: Invoice
  readonly onDownload: (format: Format) => void
}

/** A document in each of its formats. */
const FileButtons = ({ invoice, onDownload }: FileButtonsProps) =>
  listFormats(invoice).map((format) => (
    <Button
      key={format}
      kind="quiet"
      aria-label={`${moneyTexts.invoice.formats[format]} ${invoice.number ?? ''}`}
      onClick={() => onDownload(format)}
    >
      {moneyTexts.invoice.formats[format]}
    </Button>
  ))
