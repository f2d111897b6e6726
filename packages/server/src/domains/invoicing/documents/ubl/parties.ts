import type { BillingDocument } from '../billing-document.ts'
import { toCountryCode } from '../countries.ts'
import { taxOf } from '../tax-category.ts'
import { electronicAddress, taxRegistration, type InvoiceProfile } from './profiles.ts'
import { element, optionalElement, type XmlElement } from './xml.ts'

/** The seller. Without a number, as in documents of play money, it is identified by its name. */
export function writeSeller(document: BillingDocument, profile: InvoiceProfile): XmlElement {
  const { seller } = document
  const identification =
    seller.abn === null ? element('cac:PartyIdentification', [element('cbc:ID', seller.name)]) : null
  return element('cac:AccountingSupplierParty', [
    element('cac:Party', [
      writeEndpoint(seller),
      identification,
      element('cac:PartyName', [element('cbc:Name', seller.name)]),
      writeAddress(seller.address, 'AU'),
      writeTaxScheme(taxRegistration(document, taxOf(document), profile), profile),
      writeLegalEntity(seller),
      writeContact(seller.email),
    ]),
  ])
}

export function writeBuyer({ buyer }: BillingDocument, country: string, profile: InvoiceProfile): XmlElement {
  return element('cac:AccountingCustomerParty', [
    element('cac:Party', [
      writeEndpoint(buyer),
      element('cac:PartyName', [element('cbc:Name', buyer.name)]),
      writeAddress(
        buyer.address.filter((line) => toCountryCode(line) !== country),
        country,
      ),
      writeTaxScheme(profile.tax_scheme === 'GST' ? buyer.abn : null, profile),
      writeLegalEntity(buyer),
      writeContact(buyer.email),
    ]),
  ])
}

function writeEndpoint(party: BillingDocument['buyer'] | BillingDocument['seller']): XmlElement | null {
  const address = electronicAddress(party)
  return address === null ? null : element('cbc:EndpointID', address.value, { schemeID: address.scheme })
}

/** The lines of an address without its country. */
function writeAddress(lines: readonly string[], country: string): XmlElement {
  const [line1 = null, line2 = null, ...others] = lines
  const rest = others.join(', ')
  return element('cac:PostalAddress', [
    optionalElement('cbc:StreetName', line1),
    optionalElement('cbc:AdditionalStreetName', line2),
    rest === '' ? null : element('cac:AddressLine', [element('cbc:Line', rest)]),
    element('cac:Country', [element('cbc:IdentificationCode', country)]),
  ])
}

const writeTaxScheme = (number: string | null, { tax_scheme }: InvoiceProfile): XmlElement | null =>
  number === null
    ? null
    : element('cac:PartyTaxScheme', [
        element('cbc:CompanyID', number),
        element('cac:TaxScheme', [element('cbc:ID', tax_scheme)]),
      ])

const writeLegalEntity = ({ name, abn }: { readonly name: string; readonly abn: string | null }): XmlElement =>
  element('cac:PartyLegalEntity', [
    element('cbc:RegistrationName', name),
    abn === null ? null : element('cbc:CompanyID', abn, { schemeID: '0151' }),
  ])

const writeContact = (email: string | null): XmlElement | null =>
  email === null ? null : element('cac:Contact', [element('cbc:ElectronicMail', email)])
