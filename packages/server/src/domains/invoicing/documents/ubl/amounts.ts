import { formatExactDecimal } from '../exact-decimal.ts'
import type { BillingDocument, DocumentLine } from '../billing-document.ts'
import { roundHalfEven, parseDecimal } from '../../../ledger/rounding.ts'
import type { NetAmounts } from '../net-amounts.ts'
import { findDocumentTax, type TaxCategory } from '../tax-category.ts'
import type { ElectronicInvoiceProfile } from './profiles.ts'
import { createXmlElement, createOptionalXmlElement, type XmlElement } from './xml.ts'

export const writeUblAmount = (name: string, cents: number): XmlElement =>
  createXmlElement(name, formatExactDecimal(cents, 2), { currencyID: 'AUD' })

export function writeUblTaxTotal(
  document: BillingDocument,
  net: NetAmounts,
  profile: ElectronicInvoiceProfile,
): XmlElement {
  return createXmlElement('cac:TaxTotal', [
    writeUblAmount('cbc:TaxAmount', net.gst_cents),
    createXmlElement('cac:TaxSubtotal', [
      writeUblAmount('cbc:TaxableAmount', net.total_cents),
      writeUblAmount('cbc:TaxAmount', net.gst_cents),
      writeTaxCategory('cac:TaxCategory', findDocumentTax(document), profile, true),
    ]),
  ])
}

function writeTaxCategory(
  name: string,
  { code, percent, meaning }: TaxCategory,
  { tax_scheme }: ElectronicInvoiceProfile,
  hasReason: boolean,
): XmlElement {
  return createXmlElement(name, [
    createXmlElement('cbc:ID', code),
    createOptionalXmlElement('cbc:Percent', code === 'O' ? null : String(percent)),
    createOptionalXmlElement('cbc:TaxExemptionReason', hasReason && code !== 'S' ? meaning : null),
    createXmlElement('cac:TaxScheme', [createXmlElement('cbc:ID', tax_scheme)]),
  ])
}

/** An invoice is sent before it is paid; the receipt of a payment by card has nothing left to pay. */
export function writeUblTotals({ payment, total_cents, kind }: BillingDocument, net: NetAmounts): XmlElement {
  const prepaid_cents = kind === 'invoice' || payment === null ? 0 : total_cents
  return createXmlElement('cac:LegalMonetaryTotal', [
    writeUblAmount('cbc:LineExtensionAmount', net.total_cents),
    writeUblAmount('cbc:TaxExclusiveAmount', net.total_cents),
    writeUblAmount('cbc:TaxInclusiveAmount', total_cents),
    prepaid_cents === 0 ? null : writeUblAmount('cbc:PrepaidAmount', prepaid_cents),
    writeUblAmount('cbc:PayableAmount', total_cents - prepaid_cents),
  ])
}

/** Codes of UN/ECE Recommendation 20; other units are counted as pieces. */
const unitCodes: Readonly<Record<string, string>> = { km2: 'KMK' }

export function writeUblLine(
  document: BillingDocument,
  {
    index,
    net_cents,
    profile,
  }: { readonly index: number; readonly net_cents: number; readonly profile: ElectronicInvoiceProfile },
): XmlElement {
  const line = document.lines[index]!
  const isCredit = document.kind === 'credit_note'
  return createXmlElement(isCredit ? 'cac:CreditNoteLine' : 'cac:InvoiceLine', [
    createXmlElement('cbc:ID', String(index + 1)),
    createXmlElement(isCredit ? 'cbc:CreditedQuantity' : 'cbc:InvoicedQuantity', formatExactDecimal(line.quantity), {
      unitCode: unitCodes[line.unit ?? ''] ?? 'C62',
    }),
    writeUblAmount('cbc:LineExtensionAmount', net_cents),
    writeItem(line, writeTaxCategory('cac:ClassifiedTaxCategory', findDocumentTax(document), profile, false)),
    createXmlElement('cac:Price', [
      createXmlElement('cbc:PriceAmount', netPrice(net_cents, line.quantity), { currencyID: 'AUD' }),
    ]),
  ])
}

function writeItem({ description, scene_id = null, order_id }: DocumentLine, tax: XmlElement): XmlElement {
  return createXmlElement('cac:Item', [
    createXmlElement('cbc:Name', description.trim() || 'Item'),
    scene_id === null
      ? null
      : createXmlElement('cac:SellersItemIdentification', [createXmlElement('cbc:ID', scene_id)]),
    tax,
    order_id === null
      ? null
      : createXmlElement('cac:AdditionalItemProperty', [
          createXmlElement('cbc:Name', 'Order'),
          createXmlElement('cbc:Value', order_id),
        ]),
  ])
}

/** The price of a unit without tax in dollars, with ten digits: multiplied by the quantity it gives the amount of the line. */
function netPrice(net_cents: number, quantity: string | number): string {
  const { digits, scale } = parseDecimal(quantity)
  if (digits === 0n) return '0.00'
  const scaled = roundHalfEven(BigInt(net_cents) * 10n ** BigInt(8 + scale), digits)
  return formatExactDecimal(String(scaled), 10, 2)
}
