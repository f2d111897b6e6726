import type { SellerSettings } from '../../../platform/seller.ts'
import { isSandboxId } from '../../../platform/ids.ts'
import type { BillingDocument, DocumentPurpose } from './billing-document.ts'

/** The purpose of a document of an organization: play money and sandboxes buy nothing, so nothing can be claimed. */
export function findDocumentPurpose(
  organization: string,
  seller: Pick<SellerSettings, 'has_play_money'>,
): DocumentPurpose {
  if (isSandboxId(organization)) return 'sandbox'
  return seller.has_play_money ? 'play_money' : 'billing'
}

/** The series of numbers by purpose and kind. Documents of before the series have `INV`, `R` and `CN`. */
const seriesOf: Readonly<Record<DocumentPurpose, Readonly<Record<BillingDocument['kind'], string>>>> = {
  billing: { invoice: 'IN', receipt: 'RC', credit_note: 'CR' },
  play_money: { invoice: 'PLAY-IN', receipt: 'PLAY-RC', credit_note: 'PLAY-CR' },
  sandbox: { invoice: 'SANDBOX-IN', receipt: 'SANDBOX-RC', credit_note: 'SANDBOX-CR' },
}

export const findDocumentSeries = (purpose: DocumentPurpose, kind: BillingDocument['kind']): string =>
  seriesOf[purpose][kind]

/** `IN-000001`. */
export const formatDocumentNumber = (series: string, sequence: number): string =>
  `${series}-${String(sequence).padStart(6, '0')}`

/** The key of the seller of a series: the Australian Business Number, or the name of a seller without one. */
export const computeSellerKey = ({ abn, name }: Pick<SellerSettings, 'abn' | 'name'>): string => abn ?? name
