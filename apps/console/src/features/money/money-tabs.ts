import { texts } from '../../texts.ts'

export const moneyTabs = [
  { to: '/money', label: texts.money.overview },
  { to: '/money/journal', label: texts.money.journal },
  { to: '/money/cards', label: texts.money.cards },
  { to: '/money/members', label: texts.money.members },
  { to: '/money/invoices', label: texts.money.invoices },
] as const
