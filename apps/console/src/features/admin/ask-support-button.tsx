import { adminTexts } from '../../texts/admin.ts'
import { ActButton } from './act-button.tsx'

const words = adminTexts

export interface AskSupportButtonProps {
  readonly subject: string
  readonly input: { readonly organization_id: string }
}

/** Asks the owners of an organization for the permission to read in it. */
export const AskSupportButton = ({ subject, input }: AskSupportButtonProps) => (
  <ActButton
    kind="plain"
    operation="admin.support_access.request"
    verb={words.askSupport}
    title={words.askSupportTitle}
    subject={subject}
    text={words.askSupportText}
    input={input}
    affected={[]}
    renderResult={() => <p role="status">{words.supportAsked}</p>}
  />
)
