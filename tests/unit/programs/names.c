// SPDX-License-Identifier: BSD-3-Clause
// A program whose variable and function the C library has others of by the same name.
int err = 100;

int tsearch(int value) { return value; }

int main(void) {
  ++err;
  return tsearch(err);
}
