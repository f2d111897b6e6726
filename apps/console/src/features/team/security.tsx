import { SecondFactorRule } from './second-factor-rule.tsx'
import { SupportAccess } from './support-access.tsx'
import { TeamScreen } from './team-screen.tsx'

/** Who may read in the organization, and how its members prove who they are. */
export function Security() {
  return (
    <TeamScreen>
      <SecondFactorRule />
      <SupportAccess />
    </TeamScreen>
  )
}
