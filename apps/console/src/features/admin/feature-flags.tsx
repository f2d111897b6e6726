import { useState } from 'react'
import type { OutputOf } from '@swath/client/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { texts } from '../../texts.ts'
import { CopyCall } from '../../ui/copy-call.tsx'
import { TextField } from '../../ui/field.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { ActButton } from './act-button.tsx'
import { AdminScreen } from './admin-screen.tsx'
import styles from './admin.module.css'

type FeatureFlag = OutputOf<'admin.feature_flags.list'>['feature_flags'][number]

const words = texts.admin
const flags = texts.admin.flags

/** Parts of the product that are switched for organizations while they are new. */
export function FeatureFlags() {
  const known = useOperation('admin.feature_flags.list', {})
  return (
    <AdminScreen actions={<CopyCall operation="admin.feature_flags.list" input={{}} />}>
      <QueryView query={known} rows={2}>
        {({ feature_flags }) => feature_flags.map((flag) => <FlagRow key={flag.flag} flag={flag} />)}
      </QueryView>
    </AdminScreen>
  )
}

function FlagRow({ flag: { flag, owner, description, percent, organizations } }: { flag: FeatureFlag }) {
  const [share, setShare] = useState(String(percent))
  const [organization, setOrganization] = useState('')
  const act = {
    operation: 'admin.feature_flags.set',
    kind: 'primary',
    subject: flag,
    affected: ['admin.feature_flags.list'],
  } as const
  const organization_id = organization.trim()
  return (
    <article className={styles['row']}>
      <header>
        <code>{flag}</code>
        <strong>{flags.share(percent)}</strong>
      </header>
      <p>{description}</p>
      <small>{flags.owner(owner)}</small>
      {organizations.map(({ organization_id: id, enabled }) => (
        <div key={id} className={styles['actions']}>
          <span>{enabled ? flags.on : flags.off}</span>
          <Identifier id={id} />
          <ActButton
            {...act}
            verb={flags.forget}
            title={flags.forgetTitle}
            text={flags.forgetText}
            subject={id}
            input={{ flag, organization_id: id, enabled: null }}
          />
        </div>
      ))}
      <TextField type="number" min={0} max={100} label={flags.shareInput} value={share} onChange={setShare} />
      <div className={styles['actions']}>
        <ActButton
          {...act}
          verb={flags.setShare}
          title={flags.setShareTitle}
          text={flags.setShareText}
          input={{ flag, percent: Number(share) }}
        />
      </div>
      <TextField label={words.organizationId} value={organization} onChange={setOrganization} />
      {organization_id !== '' && (
        <div className={styles['actions']}>
          {([true, false] as const).map((enabled) => (
            <ActButton
              key={String(enabled)}
              {...act}
              verb={enabled ? flags.switchOn : flags.switchOff}
              title={flags.switchTitle}
              text={flags.switchText}
              input={{ flag, organization_id, enabled }}
            />
          ))}
        </div>
      )}
    </article>
  )
}
