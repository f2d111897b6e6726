import type { ReactNode } from 'react'
import { usePrincipal } from '../../api/use-principal.ts'
import { moneyTexts } from '../../texts/money.ts'
import { Screen } from '../../ui/screen.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'
import { moneyTabsFor } from './money-tabs.ts'

export function MoneyScreen({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  const role = usePrincipal().data?.organization?.role ?? null
  return (
    <Screen
      title={moneyTexts.title}
      actions={actions}
      toolbar={<TabLinks label={moneyTexts.tabs} tabs={moneyTabsFor(role)} />}
    >
      {children}
    </Screen>
  )
}
