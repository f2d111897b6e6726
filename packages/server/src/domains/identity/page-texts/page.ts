import type { PageText } from './page-text.ts'

/** A page for a person: a text, and a form if something is to be done. */
export interface IdentityEndpointPage<Text = PageText> {
  /** Of the texts, once it is known. */
  readonly language?: string
  /** What the title of the document begins with if there is an error. */
  readonly errorTitle?: string
  readonly title: Text
  /** Text between backticks is shown as code. */
  readonly paragraphs: readonly Text[]
  /** A list after them. */
  readonly items?: readonly Text[]
  /** The way on, in the place of a form. */
  readonly link?: { readonly url: string; readonly text: Text }
  readonly form: IdentityPageForm<Text> | null
  /** Something to be done with a passkey, in addition to the form. */
  readonly passkey?: IdentityPagePasskey<Text>
  /** An image, as markup of ours. */
  readonly svg?: string
  readonly links?: readonly { readonly label: Text; readonly url: string }[]
}

/** A form that is sent with what the browser makes of a passkey; it is hidden from browsers without scripts or passkeys. */
export interface IdentityPagePasskey<Text = PageText> {
  readonly ceremony: 'create' | 'get'
  /** The options of the ceremony as JSON (WebAuthn level 3). */
  readonly options: Readonly<Record<string, unknown>>
  readonly query: string
  readonly hidden: Readonly<Record<string, string>>
  readonly button: Text
  /** What is said if the browser, or its person, does not do it. */
  readonly failure?: string
  /** The reason why the last passkey was refused. */
  readonly error?: Text | null
  /** The URL that a successful submission redirects to, if it is not one of the platform. */
  readonly redirect_uri: string | null
}

/** A form that is posted to the URL of its page, with this query. */
export interface IdentityPageForm<Text = PageText> {
  readonly query: string
  readonly hidden: Readonly<Record<string, string>>
  readonly fields: readonly IdentityFormField<Text>[]
  /** The words of the button, and a field that it sends. */
  readonly button: Text | IdentityFormButton<Text>
  /** The way to say no. */
  readonly otherButton?: IdentityFormButton<Text>
  /** Ways that need not all fields. */
  readonly shortButtons?: readonly IdentityFormButton<Text>[]
  /** The reason why the last submission was refused, and its field; null for the form as a whole. */
  readonly error: { readonly text: Text; readonly field: string | null } | null
  /** The URL that a successful submission redirects to, if it is not one of the platform. */
  readonly redirect_uri: string | null
}

export interface IdentityFormButton<Text = PageText> {
  readonly name: string
  readonly value: string
  readonly label: Text
}

export interface IdentityFormField<Text = PageText> {
  readonly name: string
  readonly label: Text
  readonly type: 'email' | 'password' | 'code' | 'name' | 'otp' | 'choice'
  /** What a choice offers. */
  readonly options?: readonly { readonly value: string; readonly label: Text }[]
  /** The `autocomplete` attribute, which password managers read. */
  readonly autocomplete: string
  readonly value: string
  /** True for the field by which a password manager recognises the account. */
  readonly readonly?: boolean
  readonly hint?: Text
}
