// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/chip.hpp"
#include "scaling/input/mesh.hpp"
#include "scaling/input/model.hpp"
#include "scaling/input/run.hpp"

namespace scaling {

// Checks that fields of several groups fit together, for more than one question. Each function
// expects fields that are valid by themselves.

/// Adds an issue at the group's `computeFormat` if the chip lists no peak in `format`.
void check_format(const Chip<double>& chip, const char* group, Format format, Issues& issues);

/// Checks that the chip has a known peak in a format of 16 bits.
void check_sixteen_bits(const Chip<double>& chip, Issues& issues);

void check_model(const Model<double>& model, Issues& issues);

/// Checks that a model which is given images has a tower; `group` and `field` ask for them.
void check_images(const Model<double>& model, const char* group, const char* field, double images,
                  Issues& issues);

/// The format, and the chips in their slices.
void check_chips(const Chip<double>& chip, const TrainingJob<double>& run, Issues& issues);

/// Checks that the model has the parts which the training changes.
void check_tuning(const Model<double>& model, const TrainingJob<double>& run, Issues& issues);

/// All of these, and the tokens.
void check_run(const Chip<double>& chip, const Model<double>& model, const TrainingJob<double>& run,
               Issues& issues);

/// Adds what a reader of a run should know, of one without issues.
void notice_run(const Model<double>& model, const TrainingJob<double>& run, Issues& notices);

/// Adds an issue at each axis of `mesh` that is longer than the pod's.
void check_mesh(const Chip<double>& chip, const Mesh<double>& mesh, Issues& issues);

/// Adds how many chips are idle where several `domains` are used and each of them only in part, by
/// `used` chips. A single domain may serve others too.
void notice_domains(const Chip<double>& chip, const char* group, const char* key, double domains,
                    double used, Issues& notices);

}  // namespace scaling
