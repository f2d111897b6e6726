import type { ReactNode } from 'react'
import { texts } from '../../texts.ts'
import { Screen } from '../../ui/screen.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'

const tabs = [
  { to: '/watch', label: texts.alerts.tab },
  { to: '/watch/rules', label: texts.alerts.rulesTab },
  { to: '/watch/searches', label: texts.watch.tab },
] as const

/** The frame of the Watch screens: alerts, rules and saved searches. */
export function WatchScreen({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  return (
    <Screen title={texts.watch.title} actions={actions} toolbar={<TabLinks label={texts.watch.tabs} tabs={tabs} />}>
      {children}
    </Screen>
  )
}
