import type { ReactNode } from 'react'
import { teamTexts } from '../../texts/team.ts'
import { Screen } from '../../ui/screen.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'
import { useAuthority } from './use-authority.ts'

const tabs = [
  { to: '/team', label: teamTexts.members, isForAdmins: true },
  { to: '/team/invitations', label: teamTexts.invitations, isForAdmins: true },
  { to: '/team/security', label: teamTexts.security, isForAdmins: true },
  { to: '/team/organization', label: teamTexts.organization },
] as const

/** A part of the place of the organization; those of owners and admins are shown to all while the role is unknown. */
export function TeamScreen({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  const { role, mayAdminister } = useAuthority()
  const shown = tabs.filter((tab) => role === null || mayAdminister || !('isForAdmins' in tab))
  return (
    <Screen title={teamTexts.title} actions={actions} toolbar={<TabLinks label={teamTexts.tabs} tabs={shown} />}>
      {children}
    </Screen>
  )
}
