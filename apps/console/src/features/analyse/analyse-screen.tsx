import type { ReactNode } from 'react'
import { analyseTexts } from '../../texts/analyse.ts'
import { Screen } from '../../ui/screen.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'

const tabs = [
  { to: '/analyse', label: analyseTexts.tab.processes },
  { to: '/analyse/jobs', label: analyseTexts.tab.jobs },
] as const

/** The frame of the analysis screens: processes and measurements, and their jobs. */
export function AnalyseScreen({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  return (
    <Screen title={analyseTexts.title} actions={actions} toolbar={<TabLinks label={analyseTexts.tabs} tabs={tabs} />}>
      {children}
    </Screen>
  )
}
