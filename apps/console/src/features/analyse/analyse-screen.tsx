import type { ReactNode } from 'react'
import { texts } from '../../texts.ts'
import { Screen } from '../../ui/screen.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'

const tabs = [
  { to: '/analyse', label: texts.analyse.tab.processes },
  { to: '/analyse/jobs', label: texts.analyse.tab.jobs },
] as const

/** The frame of the analysis screens: processes and measurements, and their jobs. */
export function AnalyseScreen({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  return (
    <Screen title={texts.analyse.title} actions={actions} toolbar={<TabLinks label={texts.analyse.tabs} tabs={tabs} />}>
      {children}
    </Screen>
  )
}
