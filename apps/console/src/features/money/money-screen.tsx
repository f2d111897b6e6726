import type { ReactNode } from 'react'
import { texts } from '../../texts.ts'
import { Screen } from '../../ui/screen.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'
import { moneyTabs } from './money-tabs.ts'

export function MoneyScreen({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  return (
    <Screen
      title={texts.money.title}
      actions={actions}
      toolbar={<TabLinks label={texts.money.tabs} tabs={moneyTabs} />}
    >
      {children}
    </Screen>
  )
}
