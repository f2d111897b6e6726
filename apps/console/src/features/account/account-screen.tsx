import type { ReactNode } from 'react'
import { personTexts } from '../../texts/person.ts'
import { Screen } from '../../ui/screen.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'

const tabs = [
  { to: '/account', label: personTexts.profile },
  { to: '/account/sign-in', label: personTexts.signIn },
  { to: '/account/sessions', label: personTexts.sessions },
] as const

/** A part of a person's own account. */
export const AccountScreen = ({ actions, children }: { actions?: ReactNode; children: ReactNode }) => (
  <Screen title={personTexts.title} actions={actions} toolbar={<TabLinks label={personTexts.tabs} tabs={tabs} />}>
    {children}
  </Screen>
)
