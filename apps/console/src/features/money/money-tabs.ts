import { texts } from '../../texts.ts'

export const moneyTabs = [
  { to: '/money', label: texts.money.overview },
  { to: '/money/journal', label: texts.money.journal },
  { to: '/money/cards', label: texts.money.cards },
  { to: '/money/members', label: texts.money.members },
  { to: '/money/approvals', label: texts.money.approvals },
  { to: '/money/commitments', label: texts.money.commitments },
  { to: '/money/invoices', label: texts.money.invoices },
  { to: '/money/usage', label: texts.usage.title },
  { to: '/money/reports', label: texts.reports.title },
] as const
