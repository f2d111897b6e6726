import { CircleCheck, CircleDashed, CircleOff } from 'lucide-react'
import { useState } from 'react'
import type { OutputOf } from '@swath/client/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { adminTexts } from '../../texts/admin.ts'
import { Badge } from '../../ui/badge.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { Facts } from '../../ui/facts.tsx'
import { TextField } from '../../ui/field.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Section } from '../../ui/screen.tsx'
import { ActButton } from './act-button.tsx'
import { AdminScreen } from './admin-screen.tsx'
import { OrganizationField, useOrganizationChoice } from './organization-field.tsx'
import { OrganizationNote } from './organization-note.tsx'
import layout from '../../ui/layout.module.css'

type FeatureFlag = OutputOf<'admin.feature_flags.list'>['feature_flags'][number]

const flags = adminTexts.flags

/** Parts of the product that are switched for organizations while they are new. */
export function FeatureFlags() {
  const known = useOperation('admin.feature_flags.list', {})
  return (
    <AdminScreen actions={<CopyCall operation="admin.feature_flags.list" input={{}} />}>
      <QueryView query={known} rows={2}>
        {({ feature_flags }) => feature_flags.map((flag) => <FlagSection key={flag.flag} flag={flag} />)}
      </QueryView>
    </AdminScreen>
  )
}

const badges = {
  off: { icon: CircleOff, tone: 'neutral' },
  some: { icon: CircleDashed, tone: 'active' },
  on: { icon: CircleCheck, tone: 'good' },
} as const

/** Whether anyone has the feature: by the share, or as an exception. */
function stateOf({ percent, organizations }: FeatureFlag): keyof typeof badges {
  if (percent === 100) return organizations.every(({ enabled }) => enabled) ? 'on' : 'some'
  return percent > 0 || organizations.some(({ enabled }) => enabled) ? 'some' : 'off'
}

/** The purpose of a flag, its share of organizations and its exceptions, and the forms that change them. */
function FlagSection({ flag }: { flag: FeatureFlag }) {
  const { flag: name, owner, description, percent } = flag
  const state = stateOf(flag)
  return (
    <Section title={name} actions={<Badge {...badges[state]}>{flags.states[state]}</Badge>}>
      <p>{description}</p>
      <Facts
        facts={[
          [flags.owner, owner],
          [flags.share, flags.shareOf(percent)],
        ]}
      />
      <Exceptions flag={flag} />
      <ShareForm flag={flag} />
      <OrganizationForm flag={name} />
    </Section>
  )
}

const act = {
  operation: 'admin.feature_flags.set',
  affected: ['admin.feature_flags.list'],
} as const

/** The organizations for which the share does not decide; nothing if there are none. */
function Exceptions({ flag: { flag, organizations } }: { flag: FeatureFlag }) {
  if (organizations.length === 0) return null
  return (
    <>
      <h3>{flags.exceptions}</h3>
      {organizations.map(({ organization_id: id, organization_name: name, enabled }) => (
        <div key={id} className={layout['row']}>
          <Badge {...badges[enabled ? 'on' : 'off']}>{enabled ? flags.on : flags.off}</Badge>
          <OrganizationNote id={id} name={name} />
          <ActButton
            {...act}
            kind="plain"
            subject={name ?? id}
            verb={flags.forget}
            title={flags.forgetTitle}
            text={flags.forgetText}
            input={{ flag, organization_id: id, enabled: null }}
          />
        </div>
      ))}
    </>
  )
}

function ShareForm({ flag: { flag, percent } }: { flag: FeatureFlag }) {
  const [share, setShare] = useState(String(percent))
  return (
    <div className={layout['fieldAndButton']}>
      <TextField type="number" min={0} max={100} label={flags.shareInput} value={share} onChange={setShare} />
      <ActButton
        {...act}
        kind="plain"
        subject={flag}
        verb={flags.setShare}
        title={flags.setShareTitle}
        text={flags.setShareText}
        input={{ flag, percent: Number(share) }}
      />
    </div>
  )
}

function OrganizationForm({ flag }: { flag: FeatureFlag['flag'] }) {
  const choice = useOrganizationChoice()
  const { organization_id } = choice
  return (
    <>
      <OrganizationField choice={choice} />
      {organization_id !== null && (
        <div className={layout['row']}>
          {([true, false] as const).map((enabled) => (
            <ActButton
              key={String(enabled)}
              {...act}
              kind="plain"
              subject={flag}
              verb={enabled ? flags.switchOn : flags.switchOff}
              title={flags.switchTitle}
              text={flags.switchText}
              input={{ flag, organization_id, enabled }}
            />
          ))}
        </div>
      )}
    </>
  )
}
