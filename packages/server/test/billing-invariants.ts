import { sql, type Sql } from '../src/platform/database/sql.ts'

/** Invariants of invoices and commitments of all organizations; each row that a statement returns is a violation. */
export const billingInvariants: readonly (readonly [sentence: string, statement: Sql])[] = [
  [
    'the accrued balance is not the sum of orders and commitment shortfalls that are not invoiced',
    sql`select account.organization_id from ledger_accounts account
        where account.name = 'enterprise.accrued' and -account.balance_credits <> (
          select coalesce(sum(coalesce(resolution.settled_credits, hold.amount_credits)), 0) from credit_holds hold
          left join credit_hold_resolutions resolution
            on resolution.organization_id = hold.organization_id and resolution.hold_id = hold.id
          left join invoiced_charges invoiced
            on invoiced.organization_id = hold.organization_id and invoiced.hold_id = hold.id
          where hold.organization_id = account.organization_id and hold.mode = 'enterprise' and invoiced.hold_id is null
        ) + (
          select coalesce(sum(shortfall_cents), 0) from commitments
          where organization_id = account.organization_id and invoice_id is null)`,
  ],
  [
    'the total of a document is not the sum of its lines',
    sql`select id from invoices
        where total_cents <> (
          select sum((line ->> 'amount_cents')::bigint) from jsonb_array_elements(document -> 'lines') as line)`,
  ],
  [
    'the total of a monthly invoice is not the sum of the charges and shortfalls assigned to it',
    sql`select invoice.id from invoices invoice
        where invoice.kind = 'invoice' and invoice.period is not null and invoice.total_cents <> (
          select coalesce(sum(resolution.settled_credits), 0) from invoiced_charges invoiced
          join credit_hold_resolutions resolution
            on resolution.organization_id = invoiced.organization_id and resolution.hold_id = invoiced.hold_id
          where invoiced.organization_id = invoice.organization_id and invoiced.invoice_id = invoice.id
        ) + (
          select coalesce(sum(shortfall_cents), 0) from commitments
          where organization_id = invoice.organization_id and invoice_id = invoice.id)`,
  ],
  [
    'credit notes exceed the total or the GST of their invoice',
    sql`select invoice.id from invoices invoice
        join invoices note
          on note.organization_id = invoice.organization_id and note.corrects_id = invoice.id and note.kind = 'credit_note'
        group by invoice.organization_id, invoice.id, invoice.total_cents, invoice.gst_cents
        having sum(note.total_cents) > invoice.total_cents or sum(note.gst_cents) > invoice.gst_cents`,
  ],
  [
    'the tax balance is not the GST of the documents',
    sql`select account.organization_id from ledger_accounts account
        where account.name = 'tax' and account.balance_credits <> (
          select coalesce(sum(case kind when 'credit_note' then -gst_cents else gst_cents end), 0) from invoices
          where organization_id = account.organization_id and (kind <> 'receipt' or corrects_id is null))`,
  ],
  [
    'a closed commitment with a shortfall does not have exactly one true-up entry of that amount',
    sql`select commitment.id from commitments commitment
        left join journal_entries entry
          on entry.organization_id = commitment.organization_id and entry.kind = 'true_up'
          and entry.reference_id = commitment.id::text
        group by commitment.organization_id, commitment.id, commitment.shortfall_cents, commitment.true_up_entry_id
        having count(entry.id) <> case when commitment.shortfall_cents > 0 then 1 else 0 end
          or coalesce(-sum(entry.amount_credits), 0) <> coalesce(commitment.shortfall_cents, 0)
          or (commitment.true_up_entry_id is null) <> (count(entry.id) = 0)`,
  ],
  [
    'the numbers of a seller and series have a gap',
    sql`select seller, series from invoices where sequence is not null
        group by seller, series, case when seller is null then organization_id end
        having max(sequence) <> count(*) or count(distinct sequence) <> count(*)`,
  ],
  [
    'the counter of a series is not its last number',
    sql`with issued as (select seller, series, max(sequence) as last_sequence from invoices group by seller, series)
        select series.series from document_series series
        left join issued on issued.seller = series.seller and issued.series = series.series
        where series.last_sequence <> coalesce(issued.last_sequence, 0)`,
  ],
  [
    'a document of play money has no number, or GST',
    sql`select id from invoices where series is not null and seller is null and (number is null or gst_cents is not null)`,
  ],
]
