import { Fragment } from 'react'

/** The id of an operation or an event, which breaks between its words where it is too long for one line. */
export const DottedName = ({ name }: { readonly name: string }) => (
  <code>
    {name.split(/(?<=[._])/).map((part, at) => (
      <Fragment key={at}>
        {at > 0 && <wbr />}
        {part}
      </Fragment>
    ))}
  </code>
)
