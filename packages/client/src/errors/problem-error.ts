import { ApiProblem } from '../problem.ts'

/** A problem of the platform's table; the fields of the document are members of the error. */
export class ProblemError extends ApiProblem {
  constructor(...parameters: ConstructorParameters<typeof ApiProblem>) {
    super(...parameters)
    // Not the name of the class, which bundlers shorten.
    this.name = `${this.problem.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}Error`
    for (const [name, value] of Object.entries(this.document))
      if (!(name in this)) Object.defineProperty(this, name, { value })
  }
}
