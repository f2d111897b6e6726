import { useCommand, useOperation } from '../../api/use-operation.ts'
import { teamTexts } from '../../texts/team.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Section } from '../../ui/screen.tsx'
import typography from '../../ui/typography.module.css'

const words = teamTexts.secondFactor

/** Whether members have to sign in with a second factor. */
export function SecondFactorRule() {
  const rule = useOperation('organizations.security.get', {})
  const update = useCommand('organizations.security.update', ['organizations.security.get'])
  return (
    <Section title={words.heading} actions={<CopyCall operation="organizations.security.get" input={{}} />}>
      <QueryView query={rule} rows={1}>
        {({ security: { second_factor, members_without_second_factor: without } }) => {
          const isRequired = second_factor === 'required'
          return (
            <>
              <p>{isRequired ? words.required : words.optional}</p>
              <p className={typography['muted']}>{words.without(without)}</p>
              <div>
                <ConfirmButton
                  label={isRequired ? words.release : words.require}
                  verb={isRequired ? words.release : words.require}
                  kind="plain"
                  title={isRequired ? words.releaseTitle : words.requireTitle}
                  subject={words.heading}
                  text={isRequired ? words.releaseText : words.requireText}
                  cancel={teamTexts.cancel}
                  call={['organizations.security.update', { second_factor: isRequired ? 'optional' : 'required' }]}
                  command={update}
                />
              </div>
            </>
          )
        }}
      </QueryView>
    </Section>
  )
}
