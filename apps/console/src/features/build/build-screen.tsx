import type { ReactNode } from 'react'
import { texts } from '../../texts.ts'
import { Screen } from '../../ui/screen.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'

const tabs = [
  { to: '/build', label: texts.build.keys },
  { to: '/build/api', label: texts.build.api },
  { to: '/build/events', label: texts.build.events },
] as const

export function BuildScreen({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  return (
    <Screen title={texts.build.title} actions={actions} toolbar={<TabLinks label={texts.build.tabs} tabs={tabs} />}>
      {children}
    </Screen>
  )
}
