import { Navigate } from '@tanstack/react-router'
import { keepView } from '../../map/keep-view.ts'
import { SecondFactorRule } from './second-factor-rule.tsx'
import { Domains } from './sign-on/domains.tsx'
import { Provider } from './sign-on/provider.tsx'
import { ScimTokens } from './sign-on/scim-tokens.tsx'
import { SupportAccess } from './support-access.tsx'
import { TeamScreen } from './team-screen.tsx'
import { useAuthority } from './use-authority.ts'

/** Who may read in the organization, and how its members prove who they are. */
export function Security() {
  const { role, mayAdminister } = useAuthority()
  if (role !== null && !mayAdminister) return <Navigate to="/team/organization" search={keepView} />
  return (
    <TeamScreen>
      <SecondFactorRule />
      <Domains />
      <Provider />
      <ScimTokens />
      <SupportAccess />
    </TeamScreen>
  )
}
