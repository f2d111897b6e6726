import { usePrincipal } from '../../api/use-principal.ts'
import { useCommand } from '../../api/use-operation.ts'
import { teamTexts } from '../../texts/team.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import { Section } from '../../ui/screen.tsx'
import { CloseOrganization } from './close-organization.tsx'
import { TeamScreen } from './team-screen.tsx'
import typography from '../../ui/typography.module.css'

const words = teamTexts.leave

/** The organization itself: leaving and closing it. */
export function Organization() {
  const organization = usePrincipal().data?.organization
  return (
    <TeamScreen>
      {organization && (
        <Section title={organization.name}>
          <Facts
            facts={[
              [teamTexts.member.role, organization.role && teamTexts.roles[organization.role]],
              [teamTexts.organization, <Identifier key="id" id={organization.id} />],
            ]}
          />
        </Section>
      )}
      {organization && !organization.sandbox && <Leave name={organization.name} />}
      <CloseOrganization />
    </TeamScreen>
  )
}

/** What is shown belongs to the organization, so the page is loaded again afterwards. */
function Leave({ name }: { name: string }) {
  const leave = useCommand('organizations.leave', [])
  return (
    <Section title={words.heading}>
      <p className={typography['muted']}>{words.text}</p>
      <div>
        <ConfirmButton
          label={words.label(name)}
          verb={words.leave}
          kind="danger"
          title={words.title(name)}
          subject={name}
          text={words.text}
          cancel={teamTexts.cancel}
          call={['organizations.leave', {}]}
          command={leave}
          onSuccess={() => location.assign('/')}
        />
      </div>
    </Section>
  )
}
