import { moneyTexts } from '../../texts/money.ts'
import { reportsTexts } from '../../texts/reports.ts'
import { usageTexts } from '../../texts/usage.ts'

interface MoneyTab {
  readonly to: string
  readonly label: string
  /** Only for owners, admins and the billing role. */
  readonly isForBilling?: true
}

const tabs: readonly MoneyTab[] = [
  { to: '/money', label: moneyTexts.overview },
  { to: '/money/journal', label: moneyTexts.journal },
  { to: '/money/cards', label: moneyTexts.cards, isForBilling: true },
  { to: '/money/approvals', label: moneyTexts.approvals },
  { to: '/money/commitments', label: moneyTexts.commitments, isForBilling: true },
  { to: '/money/invoices', label: moneyTexts.invoices, isForBilling: true },
  { to: '/money/usage', label: usageTexts.title },
  { to: '/money/reports', label: reportsTexts.title },
]

/** The tabs of the money screen that a role in the organization has something on; all while the role is unknown. */
export const moneyTabsFor = (role: string | null): readonly MoneyTab[] =>
  tabs.filter(({ isForBilling }) => !isForBilling || role !== 'member')
