import { expect, it } from 'vitest'
import { isTrustedOwner } from './is-trusted-owner.ts'

it("agents in a parent folder are read if the folder belongs to the user, the project's owner or the system", () => {
  expect(isTrustedOwner(1000, 1000, 1000)).toBe(true)
  // As root in a container, in a project that is mounted from outside.
  expect(isTrustedOwner(1000, 1000, 0)).toBe(true)
  expect(isTrustedOwner(0, 1000, 1000)).toBe(true)
  expect(isTrustedOwner(4242, 1000, 1000)).toBe(false)
  expect(isTrustedOwner(4242, 0, 0)).toBe(false)
  expect(isTrustedOwner(0, 0, undefined)).toBe(true)
})
