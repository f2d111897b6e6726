import { texts } from '../../texts.ts'

interface MoneyTab {
  readonly to: string
  readonly label: string
  /** Only for owners, admins and the billing role. */
  readonly isForBilling?: true
}

const tabs: readonly MoneyTab[] = [
  { to: '/money', label: texts.money.overview },
  { to: '/money/journal', label: texts.money.journal },
  { to: '/money/cards', label: texts.money.cards, isForBilling: true },
  { to: '/money/members', label: texts.money.members },
  { to: '/money/approvals', label: texts.money.approvals },
  { to: '/money/commitments', label: texts.money.commitments },
  { to: '/money/invoices', label: texts.money.invoices, isForBilling: true },
  { to: '/money/usage', label: texts.usage.title },
  { to: '/money/reports', label: texts.reports.title },
]

/** The tabs of the money screen that a role in the organization has something on; all while the role is unknown. */
export const moneyTabsFor = (role: string | null): readonly MoneyTab[] =>
  tabs.filter(({ isForBilling }) => !isForBilling || role !== 'member')
