import type { ReactNode } from 'react'
import { alertsTexts } from '../../texts/alerts.ts'
import { watchTexts } from '../../texts/watch.ts'
import { Screen } from '../../ui/screen.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'

const tabs = [
  { to: '/watch', label: alertsTexts.tab },
  { to: '/watch/rules', label: alertsTexts.rulesTab },
  { to: '/watch/searches', label: watchTexts.tab },
] as const

/** The frame of the Watch screens: alerts, rules and saved searches. */
export function WatchScreen({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  return (
    <Screen title={watchTexts.title} actions={actions} toolbar={<TabLinks label={watchTexts.tabs} tabs={tabs} />}>
      {children}
    </Screen>
  )
}
