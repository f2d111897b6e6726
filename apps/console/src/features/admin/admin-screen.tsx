import type { ReactNode } from 'react'
import { adminTexts } from '../../texts/admin.ts'
import { Screen } from '../../ui/screen.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'

const tabs = [
  { to: '/admin', label: adminTexts.organizations },
  { to: '/admin/people', label: adminTexts.people },
  { to: '/admin/roles', label: adminTexts.roles },
  { to: '/admin/adjustments', label: adminTexts.adjustments },
  { to: '/admin/tasks', label: adminTexts.tasks },
  { to: '/admin/stuck', label: adminTexts.stuckWork },
  { to: '/admin/prices', label: adminTexts.prices },
  { to: '/admin/products', label: adminTexts.products },
  { to: '/admin/features', label: adminTexts.features },
] as const

/** A screen for operators of the platform. */
export const AdminScreen = ({ actions, children }: { actions?: ReactNode; children: ReactNode }) => (
  <Screen title={adminTexts.title} actions={actions} toolbar={<TabLinks label={adminTexts.tabs} tabs={tabs} />}>
    {children}
  </Screen>
)
