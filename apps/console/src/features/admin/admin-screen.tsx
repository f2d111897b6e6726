import type { ReactNode } from 'react'
import { texts } from '../../texts.ts'
import { Screen } from '../../ui/screen.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'

const tabs = [
  { to: '/admin', label: texts.admin.organizations },
  { to: '/admin/people', label: texts.admin.people },
  { to: '/admin/adjustments', label: texts.admin.adjustments },
  { to: '/admin/tasks', label: texts.admin.tasks },
  { to: '/admin/stuck', label: texts.admin.stuckWork },
  { to: '/admin/prices', label: texts.admin.prices },
  { to: '/admin/products', label: texts.admin.products },
  { to: '/admin/features', label: texts.admin.features },
] as const

/** A screen for operators of the platform. */
export const AdminScreen = ({ actions, children }: { actions?: ReactNode; children: ReactNode }) => (
  <Screen title={texts.admin.title} actions={actions} toolbar={<TabLinks label={texts.admin.tabs} tabs={tabs} />}>
    {children}
  </Screen>
)
