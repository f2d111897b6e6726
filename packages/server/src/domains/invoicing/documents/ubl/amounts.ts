import { formatExactDecimal } from '../exact-decimal.ts'
import type { BillingDocument, DocumentLine } from '../billing-document.ts'
import { roundHalfEven, readDecimal } from '../../../ledger/rounding.ts'
import type { NetAmounts } from '../net-amounts.ts'
import { taxOf, type TaxCategory } from '../tax-category.ts'
import type { InvoiceProfile } from './profiles.ts'
import { element, optionalElement, type XmlElement } from './xml.ts'

export const writeAmount = (name: string, cents: number): XmlElement =>
  element(name, formatExactDecimal(cents, 2), { currencyID: 'AUD' })

export function writeTaxTotal(document: BillingDocument, net: NetAmounts, profile: InvoiceProfile): XmlElement {
  return element('cac:TaxTotal', [
    writeAmount('cbc:TaxAmount', net.gst_cents),
    element('cac:TaxSubtotal', [
      writeAmount('cbc:TaxableAmount', net.total_cents),
      writeAmount('cbc:TaxAmount', net.gst_cents),
      writeTaxCategory('cac:TaxCategory', taxOf(document), profile, true),
    ]),
  ])
}

function writeTaxCategory(
  name: string,
  { code, percent, meaning }: TaxCategory,
  { tax_scheme }: InvoiceProfile,
  hasReason: boolean,
): XmlElement {
  return element(name, [
    element('cbc:ID', code),
    optionalElement('cbc:Percent', code === 'O' ? null : String(percent)),
    optionalElement('cbc:TaxExemptionReason', hasReason && code !== 'S' ? meaning : null),
    element('cac:TaxScheme', [element('cbc:ID', tax_scheme)]),
  ])
}

/** An invoice is sent before it is paid; the receipt of a payment by card has nothing left to pay. */
export function writeTotals({ payment, total_cents, kind }: BillingDocument, net: NetAmounts): XmlElement {
  const prepaid_cents = kind === 'invoice' || payment === null ? 0 : total_cents
  return element('cac:LegalMonetaryTotal', [
    writeAmount('cbc:LineExtensionAmount', net.total_cents),
    writeAmount('cbc:TaxExclusiveAmount', net.total_cents),
    writeAmount('cbc:TaxInclusiveAmount', total_cents),
    prepaid_cents === 0 ? null : writeAmount('cbc:PrepaidAmount', prepaid_cents),
    writeAmount('cbc:PayableAmount', total_cents - prepaid_cents),
  ])
}

/** Codes of UN/ECE Recommendation 20; other units are counted as pieces. */
const unitCodes: Readonly<Record<string, string>> = { km2: 'KMK' }

export function writeLine(
  document: BillingDocument,
  {
    index,
    net_cents,
    profile,
  }: { readonly index: number; readonly net_cents: number; readonly profile: InvoiceProfile },
): XmlElement {
  const line = document.lines[index]!
  const isCredit = document.kind === 'credit_note'
  return element(isCredit ? 'cac:CreditNoteLine' : 'cac:InvoiceLine', [
    element('cbc:ID', String(index + 1)),
    element(isCredit ? 'cbc:CreditedQuantity' : 'cbc:InvoicedQuantity', formatExactDecimal(line.quantity), {
      unitCode: unitCodes[line.unit ?? ''] ?? 'C62',
    }),
    writeAmount('cbc:LineExtensionAmount', net_cents),
    writeItem(line, writeTaxCategory('cac:ClassifiedTaxCategory', taxOf(document), profile, false)),
    element('cac:Price', [element('cbc:PriceAmount', netPrice(net_cents, line.quantity), { currencyID: 'AUD' })]),
  ])
}

function writeItem({ description, scene_id = null, order_id }: DocumentLine, tax: XmlElement): XmlElement {
  return element('cac:Item', [
    element('cbc:Name', description.trim() || 'Item'),
    scene_id === null ? null : element('cac:SellersItemIdentification', [element('cbc:ID', scene_id)]),
    tax,
    order_id === null
      ? null
      : element('cac:AdditionalItemProperty', [element('cbc:Name', 'Order'), element('cbc:Value', order_id)]),
  ])
}

/** The price of a unit without tax in dollars, with ten digits: multiplied by the quantity it gives the amount of the line. */
function netPrice(net_cents: number, quantity: string | number): string {
  const { digits, scale } = readDecimal(quantity)
  if (digits === 0n) return '0.00'
  const scaled = roundHalfEven(BigInt(net_cents) * 10n ** BigInt(8 + scale), digits)
  return formatExactDecimal(String(scaled), 10, 2)
}
